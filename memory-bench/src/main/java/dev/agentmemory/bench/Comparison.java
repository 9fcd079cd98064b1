package dev.agentmemory.bench;

/// How two packages are compared: what is measured on each of them.
interface Comparison {

  /// What the costs are for, such as `event`.
  String unit();

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
    void round(int number);

    /// What one unit took, over all rounds.
    Cost cost();

    /// Ends the daemon and deletes what it stored.
    @Override
    void close();
  }

  /// What one unit costs.
  ///
  /// @param cpuMicros processor time of the daemon's process, in microseconds
  /// @param wallMicros time that the client waits, in microseconds
  record Cost(double cpuMicros, double wallMicros) {}

  /// A benchmark whose figures can be compared with those of another package.
  interface Possible extends Benchmark {

    Comparison comparison();
  }
}
