package dev.agentmemory.types;

import java.time.Instant;
import java.util.Optional;

/// Which version of a node this is and who wrote it.
///
/// @param version 1 and up
/// @param createdAt when this version was written
/// @param provisional whether the next version replaces this one instead of standing beside it
/// @param summarizer who wrote the words, such as `extractive`
/// @param revertedTo the earlier version whose words these are; empty when they are not taken from
///   one
/// @param input fingerprint of what the words were made of, when a model wrote them: equal input
///   would give equal words, so they may stay; empty for words that cost nothing to make again
public record Edition(
    int version,
    Instant createdAt,
    boolean provisional,
    String summarizer,
    Optional<Integer> revertedTo,
    Optional<String> input) {

  public Edition {
    if (version < 1) {
      throw new IllegalArgumentException("version below 1: " + version);
    }
  }

  /// Words of its own, not written by a model.
  public Edition(int version, Instant createdAt, boolean provisional, String summarizer) {
    this(version, createdAt, provisional, summarizer, Optional.empty(), Optional.empty());
  }

  /// The same words as another version.
  public Edition withVersion(int changed, Instant written) {
    return new Edition(changed, written, provisional, summarizer, revertedTo, input);
  }

  public Edition withProvisional(boolean changed) {
    return new Edition(version, createdAt, changed, summarizer, revertedTo, input);
  }
}
