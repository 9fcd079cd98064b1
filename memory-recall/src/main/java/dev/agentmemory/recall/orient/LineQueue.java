package dev.agentmemory.recall.orient;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/// Lines that wait for their place, the most important first; each is made when it is looked at.
final class LineQueue {

  private final Supplier<Optional<OrientLine>> source;
  private Optional<OrientLine> head = Optional.empty();

  LineQueue(Supplier<Optional<OrientLine>> source) {
    this.source = source;
  }

  static LineQueue of(List<OrientLine> lines) {
    Queue<OrientLine> rest = new ArrayDeque<>(lines);
    return new LineQueue(() -> Optional.ofNullable(rest.poll()));
  }

  /// The next line; empty when none is left.
  Optional<OrientLine> peek() {
    if (head.isEmpty()) {
      head = source.get();
    }
    return head;
  }

  /// Takes the line of [#peek] away.
  void remove() {
    head = Optional.empty();
  }
}
