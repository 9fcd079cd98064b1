package dev.agentmemory.gateway.hook;

import dev.agentmemory.spi.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What to look at again some time after a hook. Copilot and Gemini write the end of a turn to the
/// transcript up to half a second after the hook that tells of it, and the last hook of a session
/// has none after it.
///
/// @param <T> what is looked at; one of several hooks of it counts, the last
final class LaterLooks<T> {

  private static final List<Duration> AFTER =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30));

  /// Of more, the one whose hook is the oldest is forgotten.
  static final int MOST = 4096;

  private final Mutex lock = new Mutex();
  private final Map<T, Look> looks = new LinkedHashMap<>();

  private record Look(Instant hook, int done) {

    Instant due() {
      return hook.plus(AFTER.get(done));
    }
  }

  /// A hook has told of it.
  void hook(T of, Instant now) {
    try (var _ = lock.hold()) {
      looks.remove(of);
      looks.put(of, new Look(now, 0));
      if (looks.size() > MOST) {
        looks.remove(looks.keySet().iterator().next());
      }
    }
  }

  /// It is not to be looked at again.
  void forget(T of) {
    try (var _ = lock.hold()) {
      looks.remove(of);
    }
  }

  /// What is to be looked at now.
  List<T> due(Instant now) {
    List<T> due = new ArrayList<>();
    try (var _ = lock.hold()) {
      for (Iterator<Map.Entry<T, Look>> all = looks.entrySet().iterator(); all.hasNext(); ) {
        Map.Entry<T, Look> one = all.next();
        Look look = one.getValue();
        if (!now.isBefore(look.due())) {
          due.add(one.getKey());
          if (look.done() + 1 < AFTER.size()) {
            one.setValue(new Look(look.hook(), look.done() + 1));
          } else {
            all.remove();
          }
        }
      }
    }
    return due;
  }
}
