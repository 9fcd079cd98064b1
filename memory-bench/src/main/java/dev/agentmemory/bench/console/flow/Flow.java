package dev.agentmemory.bench.console.flow;

/// Something that people do with the console, with the mouse and by keys alone. Each way opens the
/// tabs that it needs.
///
/// @param name its subject and what is done
/// @param mouse the steps with the mouse; text is typed
/// @param keys the steps without a mouse
record Flow(String name, Way mouse, Way keys) {

  /// The steps.
  @FunctionalInterface
  interface Way {

    /// @param tab shows the start page
    /// @throws Exception with the step that failed
    void walk(FlowTab tab) throws Exception;
  }
}
