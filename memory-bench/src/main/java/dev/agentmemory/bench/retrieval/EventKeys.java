package dev.agentmemory.bench.retrieval;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.types.Event;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The names that a data set gives the messages of a conversation.
final class EventKeys {

  private final List<Event> events;
  private final Map<String, String> byId = new HashMap<>();
  private final Map<String, String> sessions = new HashMap<>();

  EventKeys(List<Event> events) {
    this.events = events;
    for (Event event : events) {
      String key = Objects.requireNonNull(event.metadata().get("event_key"), "event_key");
      byId.put(event.id().value(), key);
      sessions.put(key, event.session().value());
    }
  }

  /// The keys of the messages that were found.
  List<String> of(List<Hit> hits) {
    return hits.stream()
        .map(hit -> hit.event().orElseThrow().id().value())
        .map(id -> Objects.requireNonNull(byId.get(id), "event of another conversation"))
        .toList();
  }

  /// The session of each key.
  Map<String, String> sessions() {
    return sessions;
  }

  /// The time of the last message.
  Instant over() {
    return over(events);
  }

  /// The time of the last of some messages.
  static Instant over(List<Event> events) {
    return events.stream().map(Event::timestamp).max(Comparator.naturalOrder()).orElseThrow();
  }
}
