package dev.agentmemory.testkit.fuzz;

import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What became of the inputs of a run.
public final class FuzzTally {

  private static final int MOST_FINDINGS = 40;

  private final Map<String, Map<Outcome, Long>> counts = new TreeMap<>();
  private final List<String> findings = new ArrayList<>();

  synchronized void add(String target, long seed, FuzzAttempt attempt) {
    counts
        .computeIfAbsent(target, _ -> new EnumMap<>(Outcome.class))
        .merge(attempt.outcome(), 1L, Long::sum);
    boolean bad = attempt.outcome() == Outcome.DEFECT || attempt.outcome() == Outcome.HANG;
    if (bad && findings.size() < MOST_FINDINGS) {
      findings.add("%s, seed %d: %s".formatted(target, seed, attempt));
    }
  }

  /// The names of the targets.
  public synchronized List<String> targets() {
    return List.copyOf(counts.keySet());
  }

  /// Inputs of a target with an outcome.
  public synchronized long count(String target, Outcome outcome) {
    return counts.getOrDefault(target, Map.of()).getOrDefault(outcome, 0L);
  }

  /// Inputs with an outcome.
  public synchronized long count(Outcome outcome) {
    return targets().stream().mapToLong(target -> count(target, outcome)).sum();
  }

  /// All inputs.
  public synchronized long inputs() {
    long all = 0;
    for (Outcome outcome : Outcome.values()) {
      all += count(outcome);
    }
    return all;
  }

  /// The first defects and hangs, each with its seed.
  public synchronized List<String> findings() {
    return List.copyOf(findings);
  }
}
