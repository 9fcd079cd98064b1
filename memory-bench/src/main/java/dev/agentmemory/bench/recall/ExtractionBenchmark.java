package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.recall.extract.StatementExtractor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Whether a daemon extracts the statements that people found in turns, and no others. The weights
/// are fitted to `sample`, among others; of `earlier unseen` the totals were looked at while rules
/// were written, `unseen` was written afterwards.
public final class ExtractionBenchmark implements Benchmark {

  private static final double BAR_PRECISION = 0.85;
  private static final double BAR_RECALL = 0.7;
  private static final int ROUNDS = 20;
  private static final int WARM_UP = 20;

  private static final List<MemoryKind> KINDS =
      List.of(MemoryKind.DECISION, MemoryKind.PREFERENCE, MemoryKind.FINDING);

  @Override
  public String name() {
    return "extraction";
  }

  @Override
  public String shows() {
    return "precision and recall of extracted statements on a known and on an unseen sample";
  }

  /// The tallies of a sample.
  private record Scored(
      Map<MemoryKind, StatementTally> kinds, Map<String, StatementTally> domains) {

    /// @param extracted what was extracted from each item, in their order
    static Scored of(List<ExtractionItem> items, List<List<ExtractedStatement>> extracted) {
      var kinds = new EnumMap<MemoryKind, StatementTally>(MemoryKind.class);
      var domains = new TreeMap<String, StatementTally>();
      for (int i = 0; i < items.size(); i++) {
        ExtractionItem item = items.get(i);
        Map<MemoryKind, StatementTally> tallies = ExtractionScore.of(item, extracted.get(i));
        tallies.forEach((kind, tally) -> {
          kinds.merge(kind, tally, StatementTally::plus);
          domains.merge(item.domain(), tally, StatementTally::plus);
        });
      }
      return new Scored(kinds, domains);
    }

    StatementTally all() {
      return StatementTally.sum(List.copyOf(kinds.values()));
    }
  }

  @Override
  public Result run(Site site) throws IOException {
    try (BenchDaemon daemon = site.daemon("extraction", Site.WITHOUT_EMBEDDINGS)) {
      return result(new DaemonExtraction(daemon));
    }
  }

  private Result result(DaemonExtraction daemon) {
    Scored known = scored("extraction-a.jsonl", daemon);
    Scored other = scored("extraction-d.jsonl", daemon);
    Scored earlier = scored("extraction-b.jsonl", daemon);
    var rows = new ArrayList<Result.Row>();
    addRows(rows, "sample", known);
    addRows(rows, "unseen", other);
    addRows(rows, "earlier unseen", earlier);
    rows.add(
        new Result.Row(
            "time per 1,000 characters", "us", time(ExtractionItem.read("extraction-a.jsonl"))));
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR_PRECISION, "precision, unseen", other.all().precision(), "ratio"),
            Check.atLeast(BAR_RECALL, "recall, unseen", other.all().recall(), "ratio"),
            Check.atLeast(
                BAR_PRECISION, "precision, earlier unseen", earlier.all().precision(), "ratio"),
            Check.atLeast(BAR_RECALL, "recall, earlier unseen", earlier.all().recall(), "ratio"),
            Check.atLeast(BAR_PRECISION, "precision, sample", known.all().precision(), "ratio"),
            Check.atLeast(BAR_RECALL, "recall, sample", known.all().recall(), "ratio")),
        rows,
        List.of(
            "a statement is found when an extracted one of its kind has 60 % of its words, which"
                + " are 40 % of its own",
            "each turn is a session of its own; the memories are those that the daemon's job has"
                + " extracted from it; the time is that of the rules in this process"));
  }

  private static Scored scored(String resource, DaemonExtraction daemon) {
    List<ExtractionItem> items = ExtractionItem.read(resource);
    return Scored.of(items, daemon.extract(items));
  }

  private static void addRows(List<Result.Row> rows, String column, Scored scored) {
    add(rows, column, scored.all());
    for (MemoryKind kind : KINDS) {
      add(
          rows,
          column + ", " + kind.name().toLowerCase(Locale.ROOT),
          scored.kinds().getOrDefault(kind, StatementTally.NONE));
    }
    scored.domains().forEach((domain, tally) -> add(rows, column + ", " + domain, tally));
  }

  private static void add(List<Result.Row> rows, String label, StatementTally tally) {
    rows.add(Result.Row.of(label + ": precision", "ratio", tally.precision()));
    rows.add(Result.Row.of(label + ": recall", "ratio", tally.recall()));
    rows.add(Result.Row.of(label + ": expected", "", tally.found() + tally.missed()));
  }

  private static Measured time(List<ExtractionItem> items) {
    long characters = items.stream().mapToLong(item -> item.text().length()).sum();
    var times = new ArrayList<Double>();
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      Clock clock = Clock.start();
      items.forEach(item -> StatementExtractor.extract(item.speaker(), item.text()));
      if (round >= 0) {
        times.add(clock.micros() * 1000 / characters);
      }
    }
    return new Measured(times);
  }
}
