package dev.agentmemory.bench;

/// One benchmark.
interface Benchmark {

  /// How it is called on the command line.
  String name();

  /// What it shows, in one line.
  String shows();

  /// Runs it; what it starts it stops, also when it fails.
  Result run(Site site) throws Exception;
}
