package dev.agentmemory.toc.summary;

import dev.agentmemory.types.Bullet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A summary of a period.
///
/// @param prose a summary in sentences, when the summariser writes some
/// @param bullets the most important first; each carries the grips of what it says again
/// @param keywords the most telling first
public record Digest(Optional<String> prose, List<Bullet> bullets, List<String> keywords) {

  public Digest {
    Objects.requireNonNull(prose, "prose");
    bullets = List.copyOf(bullets);
    keywords = List.copyOf(keywords);
  }
}
