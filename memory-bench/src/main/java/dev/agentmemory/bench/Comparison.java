package dev.agentmemory.bench;

/// How two packages are compared: what is measured on each of them.
interface Comparison {

  /// What the costs are for, such as `event`.
  String unit();

  /// Does what has to be done once for each package before it is measured.
  default void prepare(Site site) throws Exception {}

  /// Measures one package once, on a daemon process of its own that is gone afterwards.
  ///
  /// @param site with the package
  Cost measure(Site site) throws Exception;

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
