package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The sessions that ended because their conversation was cleared. An agent opens another session
/// then and does not name the first one: it is the one of the same agent and directory that ended
/// just before.
final class ClearedSessions {

  /// Between the end of the one and the start of the other, at most.
  static final Duration BETWEEN = Duration.ofMinutes(1);

  private static final String CLEAR = "clear";
  private static final int MOST = 256;

  private final Mutex lock = new Mutex();
  private final Map<Place, Ended> ended = new LinkedHashMap<>();

  private record Place(Agent agent, Path directory) {}

  private record Ended(SessionId session, Instant time) {}

  /// Remembers a session that was cleared, and names it in the start of the one that follows.
  HookCapture linked(HookCapture capture) {
    Optional<Event> border =
        capture.events().stream()
            .filter(event -> event.metadata().getOrDefault(AgentMetadata.REASON, "").equals(CLEAR))
            .findFirst();
    if (border.isEmpty() || capture.directory().isEmpty()) {
      return capture;
    }
    var place = new Place(capture.agent(), capture.directory().get());
    if (capture.moment() == Moment.SESSION_END) {
      remember(place, new Ended(border.get().session(), border.get().timestamp()));
    }
    return capture.moment() == Moment.SESSION_START
        ? before(place, border.get())
            .map(parent -> capture.withEvents(event -> child(event, parent)))
            .orElse(capture)
        : capture;
  }

  private void remember(Place place, Ended session) {
    try (var _ = lock.hold()) {
      ended.remove(place);
      ended.put(place, session);
      if (ended.size() > MOST) {
        ended.remove(ended.keySet().iterator().next());
      }
    }
  }

  private Optional<SessionId> before(Place place, Event start) {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(ended.get(place))
          .filter(one -> !one.session().equals(start.session()))
          .filter(
              one -> Duration.between(one.time(), start.timestamp()).abs().compareTo(BETWEEN) <= 0)
          .map(Ended::session);
    }
  }

  private static Event child(Event event, SessionId parent) {
    Map<String, String> metadata = new HashMap<>(event.metadata());
    metadata.put(AgentMetadata.PARENT, parent.value());
    return event.withContent(event.text(), metadata);
  }
}
