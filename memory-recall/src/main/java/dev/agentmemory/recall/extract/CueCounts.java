package dev.agentmemory.recall.extract;

/// The number of wordings of each [CueGroup] in a sentence.
final class CueCounts {

  /// No wording of any group.
  static final CueCounts NONE = new CueCounts(new int[CueGroup.values().length]);

  private final int[] counts;

  /// @param counts by the index of the group
  CueCounts(int[] counts) {
    this.counts = counts.clone();
  }

  int of(CueGroup group) {
    return counts[group.index()];
  }
}
