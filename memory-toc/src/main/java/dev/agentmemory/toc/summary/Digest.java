package dev.agentmemory.toc.summary;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocLevel;
import java.util.List;
import java.util.Optional;

/// A summary of a period.
///
/// @param prose a summary in sentences, when the summariser writes some
/// @param bullets the most important first; each carries the grips of what it says again
/// @param keywords the most telling first
public record Digest(Optional<String> prose, List<Bullet> bullets, List<String> keywords) {

  /// A bullet that stands for many statements keeps at most that many grips.
  public static final int MOST_GRIPS = 32;

  public Digest {
    bullets = List.copyOf(bullets);
    keywords = List.copyOf(keywords);
  }

  /// How many bullets a period of a level has at most.
  public static int mostBullets(TocLevel level) {
    return switch (level) {
      case SEGMENT -> 5;
      case DAY -> 8;
      case WEEK -> 6;
      case MONTH -> 7;
      case YEAR -> 8;
    };
  }
}
