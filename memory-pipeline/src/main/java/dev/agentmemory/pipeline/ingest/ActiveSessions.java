package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;

/// Remembers when the sessions of a workspace last stored an event. A session that has ended is not
/// among them.
final class ActiveSessions {

  /// A session that is silent for longer is not active.
  static final Duration SILENCE = Duration.ofMinutes(30);

  /// Of more sessions the ones that are silent for longest are forgotten.
  static final int MOST = 10_000;

  private final InstantSource clock;
  private final Mutex lock = new Mutex();

  /// The one that is silent for longest first. Guarded by the lock.
  private final LinkedHashMap<SessionId, Instant> last =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  ActiveSessions(InstantSource clock) {
    this.clock = clock;
  }

  /// A new event was stored.
  void add(Event event) {
    Instant now = clock.instant();
    try (var _ = lock.hold()) {
      if (event.type() == EventType.SESSION_END) {
        last.remove(event.session());
        return;
      }
      last.put(event.session(), now);
      if (last.size() > MOST) {
        last.pollFirstEntry();
      }
    }
  }

  /// How many sessions are active; [#MOST] at most.
  long count() {
    Instant from = clock.instant().minus(SILENCE);
    try (var _ = lock.hold()) {
      return last.values().stream().filter(at -> at.isAfter(from)).count();
    }
  }
}
