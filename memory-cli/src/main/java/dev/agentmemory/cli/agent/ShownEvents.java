package dev.agentmemory.cli.agent;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;

/// The events that `tail -f` has shown. Those before a time are forgotten, and count as shown, so
/// the number that is remembered does not grow with the run.
final class ShownEvents {

  /// Of more, the oldest are forgotten.
  static final int MOST = 50_000;

  private record Shown(Instant time, EventId id) {}

  private final TreeSet<Shown> shown =
      new TreeSet<>(Comparator.comparing(Shown::time).thenComparing(one -> one.id().value()));
  private Instant from = Instant.MIN;

  /// The time before which nothing is shown any more.
  Instant from() {
    return from;
  }

  void add(Event event) {
    if (event.timestamp().isBefore(from)) {
      return;
    }
    shown.add(new Shown(event.timestamp(), event.id()));
    if (shown.size() > MOST) {
      forgetBefore(shown.first().time().plusMillis(1));
    }
  }

  boolean contains(Event event) {
    return event.timestamp().isBefore(from)
        || shown.contains(new Shown(event.timestamp(), event.id()));
  }

  /// Takes all events before a time for shown.
  void forgetBefore(Instant time) {
    if (time.isAfter(from)) {
      from = time;
      while (!shown.isEmpty() && shown.first().time().isBefore(from)) {
        shown.removeFirst();
      }
    }
  }

  int size() {
    return shown.size();
  }
}
