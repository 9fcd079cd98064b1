package dev.agentmemory.api.conversation;

/// Where a conversation is in its life. Active conversations become idle, idle ones archived; an
/// active one can be archived at once. A new event makes any of them active.
public enum ConversationStatus {
  ACTIVE,
  IDLE,
  /// Left out of lists unless they are asked for.
  ARCHIVED
}
