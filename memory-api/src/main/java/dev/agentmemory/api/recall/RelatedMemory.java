package dev.agentmemory.api.recall;

/// A memory that was reached by references.
///
/// @param depth how many references were followed, 1 and up
public record RelatedMemory(MemoryRecord memory, int depth) {}
