package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryId;
import java.util.List;

/// A memory that was found, and why it stands where it does.
///
/// @param relevance the product of the features of `why`
/// @param replaced memories that this one has replaced, the latest first
/// @param duplicates memories that say the same and are not shown
public record MemoryHit(
    MemoryRecord memory,
    double relevance,
    Why why,
    List<MemoryId> replaced,
    List<MemoryId> duplicates) {

  public MemoryHit {
    replaced = List.copyOf(replaced);
    duplicates = List.copyOf(duplicates);
  }

  /// The features of a relevance. Scope orders results of equal relevance only.
  ///
  /// @param match 0 to 1; 1 when there is no query
  /// @param importance 0 to 1
  /// @param decay 0 to 1
  /// @param frequency 1 + ln(1 + access count)
  /// @param recency 1 to 1.5
  public record Why(
      double match,
      double importance,
      double decay,
      double frequency,
      double recency,
      MemoryScope scope) {

    public double product() {
      return match * importance * decay * frequency * recency;
    }
  }
}
