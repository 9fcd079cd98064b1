package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.damage.LossReports;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which of the acknowledged events a daemon has to list: all that were not reported as lost.
final class EventAccount {

  private final Map<EventId, Event> before;
  private final TortureLoad load;
  private final Set<EventId> reported = new HashSet<>();
  private int lost;

  /// @param before the events of the template
  EventAccount(Map<EventId, Event> before, TortureLoad load) {
    this.before = Map.copyOf(before);
    this.load = load;
  }

  /// Acknowledged events that are not listed, or differ, and were not reported.
  List<Event> missing(FoundEvents found) {
    var missing = new ArrayList<Event>();
    for (Map<EventId, Event> part : List.of(before, load.acknowledged())) {
      for (Event event : part.values()) {
        if (!reported.contains(event.id())
            && !DaemonContents.same(event, found.events().get(event.id()))) {
          missing.add(event);
        }
      }
    }
    return missing;
  }

  /// Listed events that nobody sent, or that differ from what was sent.
  List<Event> foreign(FoundEvents found) {
    Map<EventId, Event> sent = load.sent();
    return found.events().values().stream()
        .filter(event -> {
          Event own = before.get(event.id());
          if (own == null) {
            own = sent.get(event.id());
          }
          return own == null || !DaemonContents.same(own, event);
        })
        .toList();
  }

  /// Events are missing after a recovery.
  ///
  /// @param said the output of `memory recover`, which has to list them
  void recovered(List<Event> missing, String said) {
    lost += LossReports.unnamed(missing, said);
    missing.forEach(event -> reported.add(event.id()));
  }

  /// Events are missing without a report.
  void lost(int events) {
    lost += events;
  }

  Counts counts() {
    return new Counts(before.size() + load.acknowledged().size(), reported.size(), lost);
  }

  /// Numbers of events.
  ///
  /// @param reported those of the acknowledged ones that a recovery reported as lost
  /// @param lost those of them that were lost without a report
  record Counts(int acknowledged, int reported, int lost) {}
}
