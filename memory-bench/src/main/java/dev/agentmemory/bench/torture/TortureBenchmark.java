package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// Random schedules of faults on the packaged daemon: kills, stops, disks that fail, clocks that
/// jump, changed files and clients that never read. After each schedule nothing that was
/// acknowledged may be missing without a report, and no invariant violated.
public final class TortureBenchmark implements Benchmark {

  private static final int FULL = 200;
  private static final int SCHEDULES = Integer.getInteger("schedules", FULL);
  private static final int PROGRESS_SCHEDULES = 10;

  /// Table files are small, so that a schedule has several of them.
  private static final String SMALL_TABLES = "storage.write_buffer=1MiB";

  @Override
  public String name() {
    return "torture";
  }

  @Override
  public String shows() {
    return SCHEDULES + " random schedules of faults: acknowledged events lost without a report";
  }

  /// Settings of the daemon of a schedule.
  ///
  /// @param toTheEnd whether it accepts events until the disk is full
  static List<String> settings(boolean toTheEnd) {
    return List.of(
        Site.WITHOUT_EMBEDDINGS, SMALL_TABLES, "storage.min_free=" + (toTheEnd ? "0" : "2MiB"));
  }

  @Override
  public Result run(Site site) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime() & 0xFFF_FFFFL);
    int workers = Integer.getInteger("workers", Runtime.getRuntime().availableProcessors());
    site.progress("seeds from %d on".formatted(seed));
    Optional<Path> library = FaultControl.compile(Files.createDirectory(site.path("faults")));
    TortureTemplate template = TortureTemplate.fill(site, settings(true).toArray(String[]::new));
    List<FaultSchedule> schedules =
        LongStream.range(seed, seed + SCHEDULES).mapToObj(FaultSchedule::of).toList();
    var outcomes = new ArrayList<TortureOutcome>();
    try (var pool = Executors.newFixedThreadPool(workers)) {
      var done = new ExecutorCompletionService<TortureOutcome>(pool);
      schedules.forEach(
          one -> done.submit(() -> new TortureTrial(site, one, template, library).run()));
      while (outcomes.size() < SCHEDULES) {
        try {
          TortureOutcome outcome = done.take().get();
          outcomes.add(outcome);
          report(site, outcome, outcomes.size());
        } catch (ExecutionException e) {
          pool.shutdownNow();
          throw new IllegalStateException("a schedule failed: " + e.getCause(), e.getCause());
        }
      }
    }
    return result(seed, outcomes);
  }

  private static void report(Site site, TortureOutcome outcome, int done) {
    if (!outcome.isGood()) {
      site.progress(outcome.story());
    }
    if (done % PROGRESS_SCHEDULES == 0) {
      site.progress(done + " of " + SCHEDULES + " schedules");
    }
  }

  private Result result(long seed, List<TortureOutcome> outcomes) {
    Map<FaultKind, Integer> run = new EnumMap<>(FaultKind.class);
    Map<FaultKind, Integer> notRun = new EnumMap<>(FaultKind.class);
    for (TortureOutcome outcome : outcomes) {
      for (FaultKind kind : outcome.schedule().steps()) {
        (outcome.notRun().contains(kind) ? notRun : run).merge(kind, 1, Integer::sum);
      }
    }
    var rows = new ArrayList<Result.Row>();
    for (FaultKind kind : FaultKind.values()) {
      rows.add(Result.Row.of(kind.label(), "steps", run.getOrDefault(kind, 0)));
    }
    rows.add(Result.Row.of("steps not run", "steps", sum(notRun)));
    rows.add(row("writes that failed", outcomes, one -> one.injected().writes()));
    rows.add(row("syncs that failed", outcomes, one -> one.injected().syncs()));
    rows.add(row("times read after a clock jump", outcomes, one -> one.injected().clockReads()));
    rows.add(row("calls that failed and were repeated", outcomes, TortureOutcome::failures));
    rows.add(row("recoveries", outcomes, TortureOutcome::recoveries));
    rows.add(row("events acknowledged", outcomes, one -> one.events().acknowledged()));
    rows.add(row("events reported as lost", outcomes, one -> one.events().reported()));
    rows.add(
        new Result.Row(
            "a schedule",
            "s",
            new Measured(outcomes.stream().map(TortureOutcome::seconds).toList())));
    return new Result(name(), checks(outcomes), rows, notes(seed, outcomes, notRun));
  }

  private static List<Check> checks(List<TortureOutcome> outcomes) {
    return List.of(
        Check.atMost(
            0,
            "acknowledged events lost without a report",
            total(outcomes, one -> one.events().lost()),
            "events"),
        Check.atMost(
            0, "violated invariants", total(outcomes, one -> one.violations().size()), "cases"),
        Check.atLeast(FULL, "schedules", outcomes.size(), "schedules"));
  }

  private static List<String> notes(
      long seed, List<TortureOutcome> outcomes, Map<FaultKind, Integer> notRun) {
    var notes = new ArrayList<String>();
    notes.add(
        "seeds %d to %d; -Dseed=N -Dschedules=1 in BENCH_JAVA_OPTS repeats the steps of one"
            .formatted(seed, seed + outcomes.size() - 1));
    notRun.forEach((kind, count) ->
        notes.add("NOT RUN on this machine: %s, %d".formatted(kind.label(), count)));
    outcomes.stream().filter(one -> !one.isGood()).forEach(one -> notes.add(one.story()));
    return notes;
  }

  private static Result.Row row(
      String label, List<TortureOutcome> outcomes, ToLongFunction<TortureOutcome> count) {
    return Result.Row.of(label, "", total(outcomes, count));
  }

  private static double total(List<TortureOutcome> outcomes, ToLongFunction<TortureOutcome> count) {
    return (double) outcomes.stream().mapToLong(count).sum();
  }

  private static double sum(Map<FaultKind, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
