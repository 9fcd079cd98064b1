package dev.agentmemory.bench.damage;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/// Damages every kind of file in a data directory, one file at a time, and checks whether the
/// daemon reports missing events.
public final class DamageBenchmark implements Benchmark {

  private static final int UNWITNESSED = 40;
  private static final int PROGRESS_CASES = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String name() {
    return "damage";
  }

  @Override
  public String shows() {
    return "single damaged files: reports of missing events, and effects on other workspaces";
  }

  /// Values of the system properties.
  ///
  /// @param cases number of randomly selected cases
  /// @param only number of the only case
  /// @param starts number of starts after each damage
  /// @param workers number of concurrent cases
  /// @param keep where the directories of failed cases and the template are kept
  private record Plan(
      long seed,
      int cases,
      Optional<Integer> only,
      int starts,
      int files,
      Set<StoredFile.Kind> kinds,
      int workers,
      Optional<Path> keep) {

    static Plan set() {
      return new Plan(
          Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL),
          Integer.getInteger("cases", Integer.MAX_VALUE),
          Optional.ofNullable(Integer.getInteger("case")),
          Integer.getInteger("starts", 3),
          Integer.getInteger("files", 3),
          kinds(System.getProperty("kinds", "")),
          Integer.getInteger("workers", Runtime.getRuntime().availableProcessors()),
          Optional.ofNullable(System.getProperty("keep")).map(Path::of));
    }

    private static Set<StoredFile.Kind> kinds(String named) {
      if (named.isEmpty()) {
        return EnumSet.allOf(StoredFile.Kind.class);
      }
      var kinds = EnumSet.noneOf(StoredFile.Kind.class);
      for (String label : named.split(",", -1)) {
        kinds.add(
            Stream.of(StoredFile.Kind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of file: " + label)));
      }
      return kinds;
    }

    List<DamageCase> of(DamageTemplate template) {
      List<DamageCase> all =
          DamageCase.all(StoredFile.of(template.directory()), kinds, files, seed);
      return only.isPresent()
          ? all.stream().filter(one -> one.number() == only.get()).toList()
          : DamageCase.sample(all, cases, seed);
    }
  }

  @Override
  public Result run(Site site) throws Exception {
    Plan plan = Plan.set();
    site.progress(
        "seed %d (BENCH_JAVA_OPTS=-Dseed=%d repeats it)".formatted(plan.seed(), plan.seed()));
    try (Writer rows = Files.newBufferedWriter(site.result("damage-cases.jsonl"))) {
      boolean recovers = Recovery.isThere(site);
      DamageTemplate template = DamageTemplate.fill(site, "template", plan.seed(), 0);
      keep(plan, template, "template");
      DamageTally tally =
          new Round(site, plan, template, recovers, rows).run(plan.of(template), "case-");
      DamageTemplate fresh = DamageTemplate.fill(site, "fresh", plan.seed(), UNWITNESSED);
      DamageTally window =
          new Round(site, plan, fresh, /* recovers= */ false, rows)
              .run(window(plan, fresh), "window-");
      return result(plan, template, tally, window, recovers);
    }
  }

  /// Only damages of the log, because no other file can contain what was just acknowledged.
  private static List<DamageCase> window(Plan plan, DamageTemplate fresh) {
    if (plan.only().isPresent() || !plan.kinds().contains(StoredFile.Kind.LOG)) {
      return List.of();
    }
    List<DamageCase> all =
        DamageCase.all(
            StoredFile.of(fresh.directory()), Set.of(StoredFile.Kind.LOG), 1, plan.seed());
    return DamageCase.sample(all, Math.min(plan.cases(), all.size()), plan.seed());
  }

  /// Damages of one template, one after the other.
  ///
  /// @param recovers whether a recovery follows
  /// @param rows receives the outcome of each
  private record Round(
      Site site, Plan plan, DamageTemplate template, boolean recovers, Writer rows) {

    /// Several cases may run concurrently, because nothing is timed.
    ///
    /// @param prefix of the names of damaged directories
    DamageTally run(List<DamageCase> cases, String prefix)
        throws IOException, InterruptedException {
      var tally = new DamageTally();
      try (var pool = Executors.newFixedThreadPool(plan.workers())) {
        var outcomes = new ExecutorCompletionService<DamageOutcome>(pool);
        cases.forEach(one -> outcomes.submit(() -> outcome(one, prefix + one.number())));
        for (int done = 1; done <= cases.size(); done++) {
          DamageOutcome outcome = next(outcomes, pool);
          tally.add(outcome);
          rows.write(JSON.writeValueAsString(outcome.row()) + "\n");
          rows.flush();
          if (done % PROGRESS_CASES == 0) {
            site.progress(done + " of " + cases.size() + " cases");
          }
        }
      }
      return tally;
    }

    private static DamageOutcome next(
        CompletionService<DamageOutcome> outcomes, ExecutorService pool)
        throws InterruptedException {
      try {
        return outcomes.take().get();
      } catch (ExecutionException e) {
        pool.shutdownNow();
        throw new IllegalStateException("a case failed: " + e.getCause(), e.getCause());
      }
    }

    private DamageOutcome outcome(DamageCase damaged, String name)
        throws IOException, InterruptedException {
      var trial = new DamageTrial(site, template, damaged, name);
      var outcome = new DamageOutcome(damaged, trial.run(plan.starts()));
      if (recovers && outcome.needsRecovery()) {
        var recovery = Recovery.of(site, template, damaged, name);
        outcome = new DamageOutcome(damaged, outcome.starts(), Optional.of(recovery));
      }
      Trees.delete(site.path(name));
      if (!outcome.isGood()) {
        site.progress(outcome.story());
        if (plan.keep().isPresent()) {
          trial.damageCopy(plan.keep().get().resolve(name));
        }
      }
      return outcome;
    }
  }

  private static void keep(Plan plan, DamageTemplate template, String name) throws IOException {
    if (plan.keep().isPresent()) {
      Path kept = plan.keep().get().resolve(name);
      if (Files.exists(kept)) {
        throw new IllegalStateException(kept + " exists; name another folder with -Dkeep");
      }
      Files.createDirectories(plan.keep().get());
      Trees.copy(template.directory(), kept);
    }
  }

  private Result result(
      Plan plan, DamageTemplate template, DamageTally tally, DamageTally window, boolean recovers) {
    DamageTally.DamageCount all = tally.all();
    int events = template.acknowledged().values().stream().mapToInt(one -> one.size()).sum();
    var notes = new ArrayList<String>();
    notes.add("seed " + plan.seed() + "; every case: results/damage-cases.jsonl");
    notes.addAll(tally.table());
    notes.add("before the witness is written, " + UNWITNESSED + " acknowledged events:");
    notes.addAll(window.table());
    var checks = new ArrayList<Check>();
    checks.add(
        Check.atMost(
            0, "acknowledged events missing without a report", all.silentEvents(), "events"));
    checks.add(
        Check.atMost(0, "cases in which a refusal changed a file", all.changedCases(), "cases"));
    checks.add(
        Check.atMost(
            0, "cases in which another workspace was not served", all.otherCases(), "cases"));
    if (recovers) {
      checks.add(
          Check.atLeast(
              100,
              "recovered share of the events outside damaged blocks",
              all.recoveredPercent(),
              "%"));
      checks.add(
          Check.atMost(
              0, "missing events that `memory recover` did not list", all.unnamed(), "events"));
    } else {
      notes.add("there is no command `memory recover`, so lost events were not recovered");
    }
    return new Result(name(), checks, rows(plan, events, all, window.all()), notes);
  }

  private static List<Result.Row> rows(
      Plan plan, int events, DamageTally.DamageCount all, DamageTally.DamageCount inWindow) {
    return List.of(
        Result.Row.of("events acknowledged", "", events),
        Result.Row.of("cases", "", all.cases()),
        Result.Row.of("starts after each", "", plan.starts()),
        Result.Row.of("cases in which missing events were not reported", "", all.silentCases()),
        Result.Row.of("cases in which missing events were reported", "", all.reported()),
        Result.Row.of("cases in which a refusal changed the engine's LOG only", "", all.logCases()),
        Result.Row.of("cases that were recovered", "", all.recoveries()),
        Result.Row.of("before the witness is written: cases", "", inWindow.cases()),
        Result.Row.of(
            "before the witness is written: missing without a report",
            "events",
            inWindow.silentEvents()));
  }
}
