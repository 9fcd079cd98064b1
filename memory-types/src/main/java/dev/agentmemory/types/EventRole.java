package dev.agentmemory.types;

/// Who speaks in an event.
public enum EventRole {
  USER,
  ASSISTANT,
  SYSTEM,
  TOOL
}
