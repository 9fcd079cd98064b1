package dev.agentmemory.recall.derive;

/// What was asked of a model about segments.
///
/// @param asked questions
/// @param unanswered questions without an answer that could be used; the rules' result stands
/// @param dropped parts of answers that do not count
public record RefinementCounts(long asked, long unanswered, long dropped) {

  public static final RefinementCounts NONE = new RefinementCounts(0, 0, 0);

  public RefinementCounts plus(RefinementCounts other) {
    return new RefinementCounts(
        asked + other.asked, unanswered + other.unanswered, dropped + other.dropped);
  }
}
