package dev.agentmemory.bench.compare;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.util.List;
import java.util.Objects;

/// How two packages are compared: what is measured on each of them.
public interface Comparison {

  /// What is compared, in the order of [Run#costs].
  List<Figure> figures();

  /// How often [Run#round] is called in one pair.
  int rounds();

  /// Does what has to be done once for each package before it is measured.
  default void prepare(Site site) throws Exception {}

  /// Begins to measure one package once, warmed up, on a daemon process of its own.
  ///
  /// @param site with the package
  Run begin(Site site) throws Exception;

  /// One package within one pair. The rounds of both packages take turns, so what slows the machine
  /// for a while slows both.
  interface Run extends AutoCloseable {

    /// @param number from 0 on
    void round(int number) throws Exception;

    /// What was measured over all rounds: a value above 0 for each of [Comparison#figures].
    List<Double> costs();

    /// Ends the daemon and deletes what it stored.
    @Override
    void close();
  }

  /// A cost that is compared by the ratio former / now.
  ///
  /// @param name such as `time waited`
  /// @param unit of the cost, such as `us/event`
  /// @param end which value of the ratio has to meet the bar
  record Figure(String name, String unit, End end, double bar) {

    private static final double PROCESSOR_BAR = 0.97;

    /// Of what varies more from pair to pair than processor time.
    public static final double LOWER_END_BAR = 0.90;

    public Figure {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(end, "end");
    }

    /// Processor time and time waited, both in microseconds.
    ///
    /// @param unit what the times are for, such as `event`
    public static List<Figure> times(String unit) {
      String micros = "us/" + unit;
      return List.of(
          new Figure("processor time", micros, End.MEDIAN, PROCESSOR_BAR),
          new Figure("time waited", micros, End.LOWER_END, LOWER_END_BAR));
    }

    Check check(PairedRatio ratio) {
      String label = name + ", former / now, ";
      return switch (end) {
        case MEDIAN -> Check.atLeast(bar, label + "median", ratio.median(), "ratio");
        case LOWER_END ->
            Check.atLeast(bar, label + "lower end of 95 %", ratio.lowerEnd(), "ratio");
      };
    }
  }

  /// A value of the ratios of all pairs.
  enum End {
    MEDIAN,
    LOWER_END
  }

  /// A benchmark whose figures can be compared with those of another package.
  interface Possible extends Benchmark {

    Comparison comparison();
  }
}
