package dev.agentmemory.bench.console.page;

import dev.agentmemory.bench.run.Site;

/// A part of the benchmark of the console, which can be run alone.
public interface ConsolePart {

  /// As `-Dconsole.only` selects it.
  String name();

  /// Runs it. It stops the browsers that it started, also after a failure; the site stops its
  /// daemons.
  ///
  /// @param figures receives what was measured
  void measure(Site site, ConsoleFigures figures) throws Exception;
}
