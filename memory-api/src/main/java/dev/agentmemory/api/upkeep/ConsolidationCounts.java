package dev.agentmemory.api.upkeep;

/// What a run did, or would do.
///
/// @param scored how many memories it looked at
/// @param promoted made long-term
/// @param pruned dropped because their relevance is too low
/// @param merged dropped because another one says the same
/// @param superseded replaced by a later one that contradicts them
/// @param capped dropped because their scope has too many
/// @param expired dropped because their conversation is over
public record ConsolidationCounts(
    long scored,
    long promoted,
    long pruned,
    long merged,
    long superseded,
    long capped,
    long expired) {

  public static final ConsolidationCounts NONE = new ConsolidationCounts(0, 0, 0, 0, 0, 0, 0);

  /// How many memories a run changed or dropped.
  public long changes() {
    return promoted + pruned + merged + superseded + capped + expired;
  }
}
