package dev.agentmemory.types;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The identity of a node of the table of contents, in one of the five canonical forms:
///
/// | level | form | example |
/// |---|---|---|
/// | year | `toc:year:YYYY` | `toc:year:2026` |
/// | month | `toc:month:YYYY:MM` | `toc:month:2026:01` |
/// | week | `toc:week:YYYY:Www`, ISO week-based year | `toc:week:2026:W05` |
/// | day | `toc:day:YYYY-MM-DD` | `toc:day:2026-01-30` |
/// | segment | `toc:segment:YYYY-MM-DD:<ULID>` | |
///
/// In a store that workspaces share every workspace has a tree of its own: `@` and its name follow.
/// An id of a period without a name stands for that period in all of them.
///
/// Within one level the order of the text is the order of the periods.
public record NodeId(TocLevel level, String value) implements Comparable<NodeId> {

  private static final Pattern FORM =
      Pattern.compile(
          "toc:(?:year:(?<year>\\d{4})"
              + "|month:(?<month>\\d{4}[:-]\\d{2})"
              + "|week:(?<week>\\d{4}[:-]W\\d{2})"
              + "|day:(?<day>\\d{4}-\\d{2}-\\d{2})"
              + "|segment:(?<date>\\d{4}-\\d{2}-\\d{2}):(?<ulid>[0-9A-Z]{26}))"
              + WorkspaceName.SUFFIX);

  public static NodeId year(int year) {
    return new NodeId(TocLevel.YEAR, "toc:year:" + padded(year, 4));
  }

  public static NodeId month(YearMonth month) {
    return new NodeId(
        TocLevel.MONTH,
        "toc:month:" + padded(month.getYear(), 4) + ":" + padded(month.getMonthValue(), 2));
  }

  /// @param weekYear the ISO week-based year
  /// @param week 1 to 53
  public static NodeId week(int weekYear, int week) {
    return new NodeId(TocLevel.WEEK, "toc:week:" + padded(weekYear, 4) + ":W" + padded(week, 2));
  }

  public static NodeId day(LocalDate day) {
    return new NodeId(TocLevel.DAY, "toc:day:" + day);
  }

  /// @param day the day on which the segment starts
  /// @param firstEvent the segment's first event
  public static NodeId segment(LocalDate day, EventId firstEvent) {
    return new NodeId(TocLevel.SEGMENT, "toc:segment:" + day + ":" + firstEvent.value());
  }

  /// Reads a canonical id, or one of the spellings `toc:month:2026-01` and `toc:week:2026-W05`.
  ///
  /// @return absent when the text is no id of a possible node
  public static Optional<NodeId> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    try {
      NodeId plain = canonical(form, WorkspaceName.plain(text));
      return Optional.of(WorkspaceName.at(text).map(plain::in).orElse(plain));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static NodeId canonical(Matcher form, String text) {
    if (form.group("year") != null) {
      return new NodeId(TocLevel.YEAR, text);
    }
    String month = form.group("month");
    if (month != null) {
      return month(YearMonth.parse(month.replace(':', '-')));
    }
    String week = form.group("week");
    if (week != null) {
      int number = Integer.parseInt(week.substring(6));
      if (number < 1 || number > 53) {
        throw new IllegalArgumentException("week " + number);
      }
      return week(Integer.parseInt(week.substring(0, 4)), number);
    }
    String day = form.group("day");
    if (day != null) {
      return day(LocalDate.parse(day));
    }
    String date = Objects.requireNonNull(form.group("date"));
    String ulid = Objects.requireNonNull(form.group("ulid"));
    return segment(LocalDate.parse(date), new EventId(ulid));
  }

  /// The workspace that the id names; empty in a store of one workspace.
  public Optional<WorkspaceName> workspace() {
    return WorkspaceName.at(value);
  }

  /// The id without a workspace's name.
  public NodeId plain() {
    return new NodeId(level, WorkspaceName.plain(value));
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it names a workspace already
  public NodeId in(WorkspaceName workspace) {
    return new NodeId(level, workspace.mark(value));
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  private static String padded(int number, int width) {
    String digits = Integer.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}
