package dev.agentmemory.bench.compare;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Report;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Measures the package of another checkout and the one of this checkout in turns.
///
/// @param dist the packaged daemon of the other checkout
public record AgainstFormer(Comparison.Possible benchmark, Path dist) implements Benchmark {

  private static final int PAIRS = 15;

  /// The costs of one side, pair by pair.
  private record Side(List<List<Double>> pairs) {

    Side() {
      this(new ArrayList<>());
    }

    /// One cost of all pairs.
    List<Double> of(int figure) {
      return pairs.stream().map(costs -> costs.get(figure)).toList();
    }
  }

  @Override
  public String name() {
    return benchmark.name() + "-against";
  }

  @Override
  public String shows() {
    return "the costs of `" + benchmark.name() + "` against those of another package";
  }

  @Override
  public Result run(Site site) throws Exception {
    Comparison comparison = benchmark.comparison();
    int pairs = Integer.getInteger("pairs", PAIRS);
    var before = new Side();
    var now = new Side();
    try (Site former = site.other("former", dist)) {
      comparison.prepare(former);
      comparison.prepare(site);
      for (int pair = 0; pair < pairs; pair++) {
        if (pair % 2 == 0) {
          measure(comparison, former, before, site, now);
        } else {
          measure(comparison, site, now, former, before);
        }
        site.progress(
            "pair %d of %d: ".formatted(pair + 1, pairs) + last(comparison.figures(), before, now));
      }
    }
    return result(comparison.figures(), before, now);
  }

  private static String last(List<Comparison.Figure> figures, Side before, Side now) {
    return IntStream.range(0, figures.size())
        .mapToObj(i ->
            "%s %s to %s %s"
                .formatted(
                    figures.get(i).name(),
                    Report.number(before.of(i).getLast()),
                    Report.number(now.of(i).getLast()),
                    figures.get(i).unit()))
        .collect(Collectors.joining(", "));
  }

  /// Measures one pair. The side that is given first begins.
  private static void measure(
      Comparison comparison, Site first, Side ofFirst, Site second, Side ofSecond)
      throws Exception {
    try (Comparison.Run one = comparison.begin(first);
        Comparison.Run other = comparison.begin(second)) {
      for (int round = 0; round < comparison.rounds(); round++) {
        (round % 2 == 0 ? one : other).round(round);
        (round % 2 == 0 ? other : one).round(round);
      }
      ofFirst.pairs().add(one.costs());
      ofSecond.pairs().add(other.costs());
    }
  }

  private Result result(List<Comparison.Figure> figures, Side before, Side now) {
    var checks = new ArrayList<Check>();
    var rows = new ArrayList<Result.Row>();
    for (int i = 0; i < figures.size(); i++) {
      Comparison.Figure figure = figures.get(i);
      PairedRatio ratio = PairedRatio.of(before.of(i), now.of(i));
      String label = figure.name() + ", former / now";
      checks.add(figure.check(ratio));
      rows.add(
          new Result.Row(figure.name() + ", former", figure.unit(), new Measured(before.of(i))));
      rows.add(new Result.Row(figure.name() + ", now", figure.unit(), new Measured(now.of(i))));
      rows.add(new Result.Row(label, "ratio", ratio.measured()));
      rows.add(Result.Row.of(label + ", lower end of 95 %", "ratio", ratio.lowerEnd()));
      rows.add(Result.Row.of(label + ", upper end of 95 %", "ratio", ratio.upperEnd()));
    }
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "each side of a pair has a daemon process of its own; their rounds take turns, and the order changes with every round and pair",
            "processor time is of all threads of the measured process; above 1 the new one is cheaper"));
  }
}
