package dev.agentmemory.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures the package of another checkout and the one of this checkout in turns.
///
/// @param dist the packaged daemon of the other checkout
record AgainstFormer(Comparison.Possible benchmark, Path dist) implements Benchmark {

  private static final int PAIRS = 15;
  private static final double CPU_BAR = 0.97;
  private static final double WALL_BAR = 0.90;

  /// What was measured on one side, pair by pair.
  private record Side(List<Double> cpu, List<Double> wall) {

    Side() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Comparison.Cost cost) {
      cpu.add(cost.cpuMicros());
      wall.add(cost.wallMicros());
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
            "pair %d of %d: processor time %s to %s us, waited %s to %s us"
                .formatted(
                    pair + 1,
                    pairs,
                    Report.number(before.cpu().getLast()),
                    Report.number(now.cpu().getLast()),
                    Report.number(before.wall().getLast()),
                    Report.number(now.wall().getLast())));
      }
    }
    return result(comparison.unit(), before, now);
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
      ofFirst.add(one.cost());
      ofSecond.add(other.cost());
    }
  }

  private Result result(String unit, Side before, Side now) {
    PairedRatio cpu = PairedRatio.of(before.cpu(), now.cpu());
    PairedRatio wall = PairedRatio.of(before.wall(), now.wall());
    return new Result(
        name(),
        List.of(
            Check.atLeast(CPU_BAR, "processor time, former / now, median", cpu.median(), "ratio"),
            Check.atLeast(
                WALL_BAR,
                "time waited, former / now, lower end of 95 %",
                wall.lowerEnd(),
                "ratio")),
        List.of(
            new Result.Row("processor time, former", "us/" + unit, new Measured(before.cpu())),
            new Result.Row("processor time, now", "us/" + unit, new Measured(now.cpu())),
            new Result.Row("processor time, former / now", "ratio", cpu.measured()),
            new Result.Row("time waited, former", "us/" + unit, new Measured(before.wall())),
            new Result.Row("time waited, now", "us/" + unit, new Measured(now.wall())),
            new Result.Row("time waited, former / now", "ratio", wall.measured()),
            Result.Row.of(
                "processor time, former / now, lower end of 95 %", "ratio", cpu.lowerEnd())),
        List.of(
            "each side of a pair is a daemon process of its own; their rounds take turns, and the order changes with every round and pair",
            "processor time is the daemon's, of all its threads; above 1 the new one is cheaper"));
  }
}
