package dev.agentmemory.api.recall;

/// How long a memory is kept. With [MemoryScope#CONVERSATION] every lifetime also ends when the
/// conversation has been idle for 24 hours, unless the memory is pinned.
public enum MemoryLifetime {
  /// Until its conversation has been idle for 24 hours. Only with [MemoryScope#CONVERSATION].
  CONVERSATION,
  /// Until consolidation finds that its relevance has become too low, or makes it long-term.
  SHORT_TERM,
  /// Until it is deleted, merged with a later one, or the scope has too many memories.
  LONG_TERM
}
