package dev.agentmemory.agents;

import java.util.Arrays;
import java.util.Optional;

/// The coding agents whose hooks and transcripts are understood.
public enum Agent {
  CLAUDE_CODE("claude-code"),
  CODEX("codex"),
  GEMINI("gemini"),
  COPILOT("copilot"),
  CURSOR("cursor"),
  OPENCODE("opencode");

  private final String id;

  Agent(String id) {
    this.id = id;
  }

  /// The name in commands, paths and metadata of events.
  public String id() {
    return id;
  }

  /// The agent of an id; empty for any other text.
  public static Optional<Agent> of(String id) {
    return Arrays.stream(values()).filter(agent -> agent.id.equals(id)).findFirst();
  }
}
