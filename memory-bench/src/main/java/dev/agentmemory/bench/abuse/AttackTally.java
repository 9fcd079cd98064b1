package dev.agentmemory.bench.abuse;

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

  @Override
  public String toString() {
    return new TreeMap<>(counts).toString();
  }
}
