package dev.agentmemory.api.search;

import dev.agentmemory.types.WorkspaceName;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/// How many events each day of a year has, as far as the search index has them.
///
/// @param zone in which days begin
/// @param years the first and the last year that has an event; empty when there is none
/// @param days by date; those without events are left out
/// @param complete whether the index has the whole log; if not, there may be more events
/// @param behind entries of the outbox that the index does not have yet, each of which may be an
///   event; 0 where that is not told
public record Activity(
    int year, ZoneId zone, Optional<Years> years, List<Day> days, boolean complete, long behind) {

  /// Most senders that are told apart in a year; what the others have sent is summed up.
  public static final int MOST_SENDERS = 100;

  public Activity {
    days = List.copyOf(days);
  }

  /// The same with what the index does not have yet.
  public Activity withBehind(long entries) {
    return new Activity(year, zone, years, days, complete, entries);
  }

  /// Events of the year.
  public Count total() {
    return days.stream().map(Day::total).reduce(Count.NONE, Count::plus);
  }

  /// @param last not before the first
  public record Years(int first, int last) {}

  /// @param parts what each sender has sent, the largest sender of the year first; not empty
  public record Day(LocalDate date, List<Part> parts) {

    public Day {
      parts = List.copyOf(parts);
    }

    /// All events of the day.
    public Count total() {
      return parts.stream().map(Part::count).reduce(Count.NONE, Count::plus);
    }
  }

  /// What a sender has sent on a day.
  ///
  /// @param workspace only where several share a store and all of them are asked for
  /// @param agent empty for events that name none
  /// @param rest whether these are all senders beyond [#MOST_SENDERS]; names none then
  public record Part(
      Optional<WorkspaceName> workspace, Optional<String> agent, boolean rest, Count count) {}

  /// @param events of all types
  /// @param messages those of them that have a text and the role of the user or the assistant
  public record Count(long events, long messages) {

    static final Count NONE = new Count(0, 0);

    Count plus(Count other) {
      return new Count(events + other.events, messages + other.messages);
    }
  }
}
