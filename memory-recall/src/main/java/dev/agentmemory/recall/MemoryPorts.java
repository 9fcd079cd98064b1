package dev.agentmemory.recall;

/// What the memories of a workspace or the account need of other modules.
///
/// @param words closed together with the memories
/// @param embedder [MemoryEmbedder#NONE] for the account
public record MemoryPorts(WordIndex words, MemoryEmbedder embedder, SessionPorts sessions) {}
