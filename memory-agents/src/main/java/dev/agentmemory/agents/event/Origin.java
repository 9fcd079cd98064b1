package dev.agentmemory.agents.event;

import java.util.Locale;

/// By whom or what a prompt was made.
public enum Origin {
  /// Typed by a person.
  PERSON,
  /// Sent by a program: `-p`, an SDK, a notification or a wake-up of the agent itself.
  PROGRAM,
  /// The task that an agent gives a subagent.
  AGENT,
  /// A command of the agent's own interface, or its output.
  COMMAND;

  /// The value in the metadata.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
