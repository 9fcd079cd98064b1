package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;

/// What is not relevant enough to be an answer. What is out of bounds is refused with
/// `INVALID_FIELD`. Hits of a query with a required phrase are never left out.
///
/// @param hit hits below are left out, 0 to 1; 0 leaves none out
/// @param best unless an event or a summary reaches it, all events and summaries are left out, 0 to
///   1: a question about something else has hits, too, but no good one. An event with every word of
///   the question reaches it always. Memories have a relevance of their own and are kept. If it is
///   above 0, a query of function words only, such as "the", has no hits
/// @param calibrated whether `best` is raised, in a search without filters, to what questions about
///   other things reach among the events of the workspace, once that was measured
public record RelevanceThreshold(double hit, double best, boolean calibrated) {

  /// Leaves nothing out.
  public static final RelevanceThreshold NONE = new RelevanceThreshold(0, 0);

  /// For people and agents. `memory-bench/run noise` measures how many questions about other things
  /// it leaves without an answer, and what it costs.
  public static final RelevanceThreshold DEFAULT =
      new RelevanceThreshold(0.05, 0.27, /* calibrated= */ true);

  public RelevanceThreshold {
    check("min_relevance", hit);
    check("min_best_relevance", best);
  }

  /// Limits that are the same in every workspace.
  public RelevanceThreshold(double hit, double best) {
    this(hit, best, /* calibrated= */ false);
  }

  /// This threshold with a limit for the best hit that is at least a given one.
  public RelevanceThreshold raised(double least) {
    return new RelevanceThreshold(hit, Math.max(best, least), calibrated);
  }

  private static void check(String field, double value) {
    // Written so that NaN is refused, too.
    if (!(value >= 0 && value <= 1)) {
      throw MemoryException.invalid(field, "is " + value + "; expected 0 to 1");
    }
  }

  /// Leaves out hits below a relevance, and asks no more of the best one.
  public static RelevanceThreshold ofEach(double hit) {
    return new RelevanceThreshold(hit, 0);
  }
}
