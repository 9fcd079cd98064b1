package dev.agentmemory.recall.extract;

/// Who wrote a turn.
public enum TurnSpeaker {
  PERSON,
  ASSISTANT,
  /// Output of a tool.
  TOOL,
  /// The agent program itself: reminders, notifications, injected context.
  PROGRAM
}
