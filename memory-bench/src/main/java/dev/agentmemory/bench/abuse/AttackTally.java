package dev.agentmemory.bench.abuse;

import io.grpc.Status;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// How often each answer came to the attacker.
final class AttackTally {

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  void add(String answer) {
    counts.computeIfAbsent(answer, _ -> new LongAdder()).increment();
  }

  /// An answer with a status; of one that the daemon does not give on purpose, what it says.
  void add(String call, Status status) {
    add(
        status.getCode() == Status.Code.INTERNAL || status.getCode() == Status.Code.UNKNOWN
            ? call + " " + status.getCode() + " (" + status.getDescription() + ")"
            : call + " " + status.getCode());
  }

  @Override
  public String toString() {
    return new TreeMap<>(counts).toString();
  }
}
