package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.recall.extract.StatementExtractor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Whether the rules extract the statements that people found in turns, and no others. `sample` was
/// known when the rules were written, `unseen` was not looked at.
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

    static Scored of(List<ExtractionItem> items) {
      var kinds = new EnumMap<MemoryKind, StatementTally>(MemoryKind.class);
      var domains = new TreeMap<String, StatementTally>();
      for (ExtractionItem item : items) {
        Map<MemoryKind, StatementTally> tallies =
            ExtractionScore.of(item, StatementExtractor.extract(item.speaker(), item.text()));
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
  public Result run(Site site) {
    List<ExtractionItem> sample = ExtractionItem.read("extraction-a.jsonl");
    Scored known = Scored.of(sample);
    Scored other = Scored.of(ExtractionItem.read("extraction-c.jsonl"));
    Scored earlier = Scored.of(ExtractionItem.read("extraction-b.jsonl"));
    var rows = new ArrayList<Result.Row>();
    addRows(rows, "sample", known);
    addRows(rows, "unseen", other);
    addRows(rows, "earlier unseen", earlier);
    rows.add(new Result.Row("time per 1,000 characters", "us", time(sample)));
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
            "the rules run in this process; the run through the packaged daemon follows with the"
                + " background job that extracts"));
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
