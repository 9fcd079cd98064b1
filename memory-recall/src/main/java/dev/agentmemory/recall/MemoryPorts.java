package dev.agentmemory.recall;

import java.util.List;
import java.util.function.Consumer;

/// What the memories of a workspace or the account need of other modules.
///
/// @param words closed together with the memories
/// @param embedder [MemoryEmbedder#NONE] for the account
/// @param sideBySide runs pieces of work, in any order and at the same time, and returns when all
///   are done
public record MemoryPorts(
    WordIndex words,
    MemoryEmbedder embedder,
    SessionPorts sessions,
    Consumer<List<Runnable>> sideBySide) {

  /// All work is done on the calling thread.
  public MemoryPorts(WordIndex words, MemoryEmbedder embedder, SessionPorts sessions) {
    this(words, embedder, sessions, pieces -> pieces.forEach(Runnable::run));
  }
}
