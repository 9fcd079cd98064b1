package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;

/// Where a moment stands in the table of contents. Weeks are ISO weeks; a week belongs to the month
/// and year of its Thursday, and so do its days. A month or year node therefore covers the weeks
/// whose Thursday lies in it, Monday to Sunday: its span holds all that is below it, and may begin
/// or end up to three days away from the calendar's month.
public record TocCalendar(ZoneId zone) {

  private static final DateTimeFormatter DAY = format("EEEE, MMMM d, uuuu");
  private static final DateTimeFormatter MONTH = format("MMMM uuuu");
  private static final DateTimeFormatter MOMENT = format("MMMM d, uuuu 'at' HH:mm");

  /// The day of a moment in the table's zone.
  public LocalDate day(Instant moment) {
    return LocalDate.ofInstant(moment, zone);
  }

  /// The segment that a cut makes; it belongs to the day on which it starts.
  public Segment segment(SessionId session, Cut cut, List<EventKey> overlap) {
    EventKey first = cut.entries().getFirst().key();
    return new Segment(
        new SegmentId(first.id()),
        session,
        NodeId.segment(day(first.timestamp()), first.id()),
        cut.entries(),
        overlap,
        cut.boundary());
  }

  /// Week, month and year above a day, from the bottom up.
  public static List<NodeId> ancestors(NodeId node) {
    List<NodeId> plain = plainAncestors(node.plain());
    return node.workspace()
        .map(workspace -> plain.stream().map(parent -> parent.in(workspace)).toList())
        .orElse(plain);
  }

  private static List<NodeId> plainAncestors(NodeId node) {
    return switch (node.level()) {
      case SEGMENT -> {
        NodeId day = NodeId.day(date(node));
        yield List.of(day, week(date(node)), month(thursday(day)), year(thursday(day)));
      }
      case DAY -> List.of(week(date(node)), month(thursday(node)), year(thursday(node)));
      case WEEK -> List.of(month(thursday(node)), year(thursday(node)));
      case MONTH -> List.of(NodeId.year(yearMonth(node).getYear()));
      case YEAR -> List.of();
    };
  }

  /// The period that a year, month, week or day covers.
  public Span span(NodeId node) {
    return switch (node.level()) {
      case YEAR -> {
        int year = Year.parse(tail(node)).getValue();
        yield days(
            monday(firstThursday(LocalDate.of(year, 1, 1))),
            monday(firstThursday(LocalDate.of(year + 1, 1, 1))));
      }
      case MONTH -> {
        YearMonth month = yearMonth(node);
        yield days(
            monday(firstThursday(month.atDay(1))),
            monday(firstThursday(month.plusMonths(1).atDay(1))));
      }
      case WEEK -> days(monday(thursday(node)), monday(thursday(node)).plusWeeks(1));
      case DAY -> days(date(node), date(node).plusDays(1));
      case SEGMENT -> throw new IllegalArgumentException("a segment has no period: " + node);
    };
  }

  /// The title of a year, month, week or day.
  public String title(NodeId node) {
    return switch (node.level()) {
      case YEAR -> tail(node);
      case MONTH -> yearMonth(node).format(MONTH);
      case WEEK -> {
        LocalDate thursday = thursday(node);
        yield "Week %d of %d"
            .formatted(
                thursday.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR),
                thursday.get(IsoFields.WEEK_BASED_YEAR));
      }
      case DAY -> date(node).format(DAY);
      case SEGMENT -> throw new IllegalArgumentException("a segment has its own title: " + node);
    };
  }

  /// The title of a segment whose summary has none.
  public String moment(Instant start) {
    return start.atZone(zone).format(MOMENT);
  }

  private Span days(LocalDate from, LocalDate to) {
    Instant end = to.atStartOfDay(zone).toInstant();
    return new Span(from.atStartOfDay(zone).toInstant(), end.minusMillis(1));
  }

  private static LocalDate date(NodeId node) {
    return switch (node.level()) {
      case DAY -> LocalDate.parse(tail(node));
      case SEGMENT -> LocalDate.parse(tail(node).substring(0, 10));
      case YEAR, MONTH, WEEK -> throw new IllegalArgumentException("not in one day: " + node);
    };
  }

  private static LocalDate thursday(NodeId node) {
    return switch (node.level()) {
      case DAY, SEGMENT -> date(node).with(DayOfWeek.THURSDAY);
      case WEEK -> {
        String week = tail(node);
        yield LocalDate.of(Integer.parseInt(week.substring(0, 4)), 1, 4)
            .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, Integer.parseInt(week.substring(6)))
            .with(DayOfWeek.THURSDAY);
      }
      case YEAR, MONTH -> throw new IllegalArgumentException("not in one week: " + node);
    };
  }

  private static NodeId week(LocalDate date) {
    return NodeId.week(
        date.get(IsoFields.WEEK_BASED_YEAR), date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }

  private static NodeId month(LocalDate thursday) {
    return NodeId.month(YearMonth.from(thursday));
  }

  private static NodeId year(LocalDate thursday) {
    return NodeId.year(thursday.getYear());
  }

  private static YearMonth yearMonth(NodeId node) {
    return YearMonth.parse(tail(node).replace(':', '-'));
  }

  private static LocalDate firstThursday(LocalDate from) {
    return from.with(TemporalAdjusters.nextOrSame(DayOfWeek.THURSDAY));
  }

  private static LocalDate monday(LocalDate date) {
    return date.with(DayOfWeek.MONDAY);
  }

  /// What follows `toc:<level>:`, without a workspace's name.
  private static String tail(NodeId node) {
    String plain = node.plain().value();
    return plain.substring(plain.indexOf(':', 4) + 1);
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
  }
}
