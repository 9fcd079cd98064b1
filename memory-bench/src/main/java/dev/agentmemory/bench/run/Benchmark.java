package dev.agentmemory.bench.run;

import dev.agentmemory.bench.result.Result;

/// One benchmark.
public interface Benchmark {

  /// Its name on the command line.
  String name();

  /// What it measures, in one line.
  String shows();

  /// Runs it. It stops what it started, also after a failure.
  Result run(Site site) throws Exception;
}
