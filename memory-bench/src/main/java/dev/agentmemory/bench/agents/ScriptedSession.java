package dev.agentmemory.bench.agents;

import java.util.List;

/// A session with everything that is said in it.
record ScriptedSession(String name, DaemonState daemon, List<Step> steps) {

  ScriptedSession {
    steps = List.copyOf(steps);
  }

  /// The daemon during a session.
  enum DaemonState {
    RUNNING,
    /// Stopped before; a hook may start one.
    STOPPED,
    /// Stopped before, and it cannot be started.
    DOWN,
    /// Killed while the model works.
    KILLED
  }

  /// One run of the agent's program.
  ///
  /// @param name of the script that the prompt names
  /// @param arguments of the program
  record Step(String name, List<String> arguments, List<Expected> expected) {

    Step {
      arguments = List.copyOf(arguments);
      expected = List.copyOf(expected);
    }
  }
}
