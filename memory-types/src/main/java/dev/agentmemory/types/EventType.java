package dev.agentmemory.types;

/// What an event records.
public enum EventType {
  SESSION_START,
  USER_MESSAGE,
  ASSISTANT_MESSAGE,
  TOOL_RESULT,
  ASSISTANT_STOP,
  SUBAGENT_START,
  SUBAGENT_STOP,
  SESSION_END;

  /// Whether an event of this type must carry text.
  public boolean needsText() {
    return this == USER_MESSAGE || this == ASSISTANT_MESSAGE;
  }
}
