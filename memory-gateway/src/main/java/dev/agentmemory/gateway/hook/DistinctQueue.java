package dev.agentmemory.gateway.hook;

import dev.agentmemory.spi.Mutex;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/// A queue in which each element waits once, however often it is offered.
///
/// @param <T> what waits
final class DistinctQueue<T> {

  private final Mutex lock = new Mutex();
  private final SequencedSet<T> waiting = new LinkedHashSet<>();
  private final int most;

  /// @param most how many elements wait at most
  DistinctQueue(int most) {
    this.most = most;
  }

  /// @return whether the element waits now; false when the queue is full
  boolean offer(T element) {
    try (var _ = lock.hold()) {
      return waiting.contains(element) || (waiting.size() < most && waiting.add(element));
    }
  }

  /// Takes the element that has waited for longest.
  Optional<T> poll() {
    try (var _ = lock.hold()) {
      return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.removeFirst());
    }
  }
}
