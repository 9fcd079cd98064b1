package dev.agentmemory.types;

import java.time.Instant;
import java.util.Objects;

/// Which version of a node this is and who wrote it.
///
/// @param version 1 and up
/// @param createdAt when this version was written
/// @param provisional whether the next version replaces this one instead of standing beside it
/// @param summarizer who wrote the words, such as `extractive`
public record Edition(int version, Instant createdAt, boolean provisional, String summarizer) {

  public Edition {
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(summarizer, "summarizer");
    if (version < 1) {
      throw new IllegalArgumentException("version below 1: " + version);
    }
  }
}
