package dev.agentmemory.bench.agents.program;

import java.util.List;

/// The agents that can be run.
public final class AgentPrograms {

  private AgentPrograms() {}

  public static List<AgentProgram> all() {
    return List.of(
        new ClaudeCodeProgram(),
        new CodexProgram(),
        new GeminiProgram(),
        new CopilotProgram(),
        new OpenCodeProgram());
  }
}
