package dev.agentmemory.pipeline.job;

import dev.agentmemory.api.JobStatus.Outcome;
import dev.agentmemory.spi.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The history of a job.
///
/// @param lastRun when the last run began
/// @param why why the last run failed, or did not take place
/// @param did what the last run did
/// @param skips how often it was due and could not run
record JobHistory(
    Optional<Instant> lastRun,
    Duration lastDuration,
    Outcome outcome,
    Optional<String> why,
    Map<String, String> did,
    long runs,
    long errors,
    long skips) {

  static final JobHistory NONE =
      new JobHistory(
          Optional.empty(), Duration.ZERO, Outcome.NONE, Optional.empty(), Map.of(), 0, 0, 0);

  private static final String LAST_RUN = "last_run_ms";
  private static final String DURATION = "last_duration_ms";
  private static final String OUTCOME = "outcome";
  private static final String WHY = "why";
  private static final String RUNS = "runs";
  private static final String ERRORS = "errors";
  private static final String SKIPS = "skips";
  private static final String DID = "did.";

  JobHistory {
    did = Map.copyOf(did);
  }

  JobHistory begun(Instant now) {
    return new JobHistory(Optional.of(now), lastDuration, outcome, why, did, runs, errors, skips);
  }

  JobHistory succeeded(Duration took, Map<String, String> what) {
    return new JobHistory(
        lastRun,
        took,
        Outcome.SUCCESS,
        Optional.ofNullable(what.get(Job.WAITS_FOR)),
        what,
        runs + 1,
        errors,
        skips);
  }

  JobHistory failed(Duration took, String reason) {
    return new JobHistory(
        lastRun, took, Outcome.FAILED, Optional.of(reason), Map.of(), runs + 1, errors + 1, skips);
  }

  JobHistory skipped(String reason) {
    return new JobHistory(
        lastRun, lastDuration, Outcome.SKIPPED, Optional.of(reason), did, runs, errors, skips + 1);
  }

  Map<String, String> toAttributes() {
    Map<String, String> kept = new HashMap<>();
    lastRun.ifPresent(time -> kept.put(LAST_RUN, Long.toString(time.toEpochMilli())));
    kept.put(DURATION, Long.toString(lastDuration.toMillis()));
    kept.put(OUTCOME, outcome.name());
    why.ifPresent(text -> kept.put(WHY, text));
    did.forEach((key, value) -> kept.put(DID + key, value));
    kept.put(RUNS, Long.toString(runs));
    kept.put(ERRORS, Long.toString(errors));
    kept.put(SKIPS, Long.toString(skips));
    return kept;
  }

  /// Reads the known attributes of a history that another version may have written.
  static JobHistory from(Map<String, String> kept) {
    Map<String, String> did = new HashMap<>();
    kept.forEach((key, value) -> {
      if (key.startsWith(DID)) {
        did.put(key.substring(DID.length()), value);
      }
    });
    long lastRun = number(kept, LAST_RUN);
    return new JobHistory(
        lastRun == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(lastRun)),
        Duration.ofMillis(number(kept, DURATION)),
        outcome(kept.getOrDefault(OUTCOME, "")),
        Optional.ofNullable(kept.get(WHY)),
        did,
        number(kept, RUNS),
        number(kept, ERRORS),
        number(kept, SKIPS));
  }

  private static Outcome outcome(String name) {
    for (Outcome outcome : Outcome.values()) {
      if (outcome.name().equals(name)) {
        return outcome;
      }
    }
    return Outcome.NONE;
  }

  private static long number(Map<String, String> kept, String key) {
    String text = kept.getOrDefault(key, "");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
