package dev.agentmemory.recall.orient;

import dev.agentmemory.text.EnvelopeTokens;
import java.util.ArrayList;
import java.util.List;

/// Which lines get how much of the budget.
///
/// Where comes first, within a quarter of the budget, then pinned memories, as many as fit. When
/// they leave little, it belongs to the next of them, not to a shorter line of another section. The
/// other sections share what is left by quotas, so that none of them takes it all, and then fill up
/// what others left over, the most important section first. Last, the next line is shown in part
/// and shortened lines are shown at greater length, so that the budget is used.
///
/// @param byQuery whether what the query finds is more important than standing decisions
record OrientLayout(
    List<OrientLine> where,
    LineQueue pinned,
    LineQueue standing,
    LineQueue work,
    LineQueue threads,
    LineQueue relevant,
    boolean byQuery) {

  /// Tokens for the lines on who and where, however small the budget.
  private static final int LEAST_WHERE = 60;

  /// What pinned memories leave is little when it is less than one part of the budget in so many.
  private static final int REST_OF_PINNED = 8;

  private static final double STANDING = 0.35;
  private static final double RELEVANT = 0.35;
  private static final double WORK = 0.2;
  private static final double THREADS = 0.1;

  /// Rounds in which a budget is filled up; each counts the document anew.
  private static final int ROUNDS = 3;

  /// Tokens that are not worth another round.
  private static final int SPARE = 8;

  BudgetFill fill(EnvelopeTokens tokens, int budget) {
    var fill = new BudgetFill(tokens, budget);
    fill.addAll(LineQueue.of(where), Math.max(LEAST_WHERE, budget / 4));
    fill.addAll(pinned, budget);
    if (pinned.peek().isPresent() && fill.left() < budget / REST_OF_PINNED) {
      fillUp(fill, List.of(pinned));
      return fill;
    }
    int left = fill.left();
    addQuota(fill, standing, left * STANDING);
    addQuota(fill, relevant, left * RELEVANT);
    addQuota(fill, work, left * WORK);
    addQuota(fill, threads, left * THREADS);
    List<LineQueue> order =
        byQuery
            ? List.of(pinned, relevant, standing, work, threads)
            : List.of(pinned, standing, relevant, work, threads);
    fillUp(fill, order);
    return fill;
  }

  private static void addQuota(BudgetFill fill, LineQueue queue, double quota) {
    fill.addAll(queue, fill.used() + (int) quota);
  }

  /// Fills the budget up and makes sure that the document is within it.
  static void fillUp(BudgetFill fill, List<LineQueue> order) {
    for (int i = 0; i < ROUNDS && (i == 0 || fill.left() > SPARE); i++) {
      order.forEach(queue -> fill.addAll(queue, fill.used() + fill.left()));
      order.forEach(fill::addPart);
      fill.lengthen();
      var _ = fill.settle();
    }
  }

  /// Lines that have no place in the document, of all sections in turn.
  ///
  /// @param most at most that many
  List<OrientLine> others(int most) {
    List<OrientLine> others = new ArrayList<>();
    List<LineQueue> queues = List.of(relevant, standing, work, threads);
    int before;
    do {
      before = others.size();
      for (LineQueue queue : queues) {
        if (others.size() < most) {
          queue.peek().ifPresent(others::add);
          queue.remove();
        }
      }
    } while (others.size() > before);
    return others;
  }
}
