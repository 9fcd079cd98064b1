package dev.agentmemory.types;

/// What an event is for the cut of a session into segments.
public enum EntryKind {
  /// The words of a person; a turn begins with them.
  PERSON,
  /// The words of an assistant.
  ASSISTANT,
  /// The text of a tool.
  TOOL,
  /// Anything else: the beginning of a session, text of the agent's program, an event without
  /// words.
  OTHER,
  /// The end of a session.
  END;

  /// Whether a person or an assistant speaks.
  public boolean isSpoken() {
    return this == PERSON || this == ASSISTANT;
  }
}
