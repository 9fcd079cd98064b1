package dev.agentmemory.recall.orient;

import dev.agentmemory.text.EnvelopeTokens;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Puts lines into a document until its budget of tokens is used.
///
/// Idea: the sum of the tokens of all lines is an estimate that is cheap to keep. [#settle] counts
/// the document itself, takes lines out while it is over the budget, and corrects the estimate. So
/// the document is within its budget whatever the counter does with texts that are joined.
final class BudgetFill {

  /// A line that would show less of its text says nothing.
  private static final int LEAST_CHARS = 24;

  /// Characters of a token, to guess how many fit.
  private static final int CHARS_PER_TOKEN = 4;

  private static final int GUESSES = 10;

  /// Tokens that are not worth another guess.
  private static final int NEAR = 2;

  private final EnvelopeTokens tokens;
  private final int budget;

  /// By id, in the order in which they were added.
  private final SequencedMap<String, OrientLine> chosen = new LinkedHashMap<>();

  private final Set<OrientSection> opened = EnumSet.noneOf(OrientSection.class);
  private int used;

  /// @param budget most tokens of the document as it is handed out
  BudgetFill(EnvelopeTokens tokens, int budget) {
    this.tokens = tokens;
    this.budget = budget;
    this.used = tokens.frame() + count(OrientPage.TITLE);
  }

  private int count(String lines) {
    return tokens.lines(lines);
  }

  private int cost(OrientLine line) {
    return count(line.markdown());
  }

  private int headingCost(OrientLine line) {
    return opened.contains(line.section()) ? 0 : count(line.section().heading());
  }

  /// Tokens that are used, estimated.
  int used() {
    return used;
  }

  /// Tokens that are left, estimated; below 0 when too many are used.
  int left() {
    return budget - used;
  }

  /// The lines that were added, in the order in which they were.
  List<OrientLine> lines() {
    return List.copyOf(chosen.values());
  }

  OrientPage page() {
    return OrientPage.of(chosen.values());
  }

  /// Adds lines while they fit; those that do not stay in the queue.
  ///
  /// @param limit most tokens of the document after it
  void addAll(LineQueue queue, int limit) {
    boolean fits = true;
    while (fits && queue.peek().isPresent()) {
      OrientLine line = queue.peek().get();
      fits = isOrphan(line) || add(line, Math.min(limit, budget));
      if (fits) {
        queue.remove();
      }
    }
  }

  /// A line without the one that it belongs to cannot be shown.
  private boolean isOrphan(OrientLine line) {
    return line.parent().filter(parent -> !chosen.containsKey(parent)).isPresent();
  }

  private boolean add(OrientLine line, int limit) {
    int cost = cost(line) + headingCost(line);
    if (chosen.containsKey(line.id()) || used + cost > limit) {
      return chosen.containsKey(line.id());
    }
    put(line, cost);
    return true;
  }

  private void put(OrientLine line, int cost) {
    chosen.put(line.id(), line);
    opened.add(line.section());
    used += cost;
  }

  /// Adds as much of the next line as fits, if that says anything.
  void addPart(LineQueue queue) {
    Optional<OrientLine> next = queue.peek().filter(line -> !isOrphan(line));
    if (next.isEmpty() || chosen.containsKey(next.get().id())) {
      return;
    }
    int heading = headingCost(next.get());
    OrientLine part = fitted(next.get(), left() - heading);
    if (part.chars() >= Math.min(LEAST_CHARS, part.text().length())) {
      int cost = cost(part) + heading;
      if (cost <= left()) {
        put(part, cost);
        queue.remove();
      }
    }
  }

  /// Shows more of lines that are shortened, in the order in which they were added.
  void lengthen() {
    for (OrientLine line : lines()) {
      if (left() <= NEAR) {
        return;
      }
      if (line.isShortened()) {
        int cost = cost(line);
        OrientLine longer = fitted(line, cost + left());
        if (longer.chars() > line.chars()) {
          chosen.put(line.id(), longer);
          used += cost(longer) - cost;
        }
      }
    }
  }

  /// A line with as much of its text as has at most so many tokens, roughly; with 0 characters when
  /// nothing fits.
  private OrientLine fitted(OrientLine line, int allowed) {
    int length = line.text().length();
    int fits = 0;
    int tooMany = length + 1;
    int guess = Math.clamp((long) allowed * CHARS_PER_TOKEN, 0, length);
    for (int i = 0; i < GUESSES && guess > fits && guess < tooMany; i++) {
      int missing = allowed - cost(line.withChars(guess));
      if (missing >= 0) {
        fits = guess;
      } else {
        tooMany = guess;
      }
      if (missing >= 0 && missing <= NEAR) {
        break;
      }
      int next = guess + missing * CHARS_PER_TOKEN;
      guess = next > fits && next < tooMany ? next : (fits + tooMany) >>> 1;
    }
    return line.withChars(fits);
  }

  /// Counts the document, and takes the last lines out while it is over the budget.
  ///
  /// @return how many tokens it has
  int settle() {
    int actual = tokens.whole(page().markdown());
    while (actual > budget) {
      shed(actual - budget);
      actual = tokens.whole(page().markdown());
    }
    used = actual;
    return actual;
  }

  /// Shows less, by about so many tokens and at least a bit.
  private void shed(int over) {
    int gone = 0;
    while (gone < over && !chosen.isEmpty()) {
      OrientLine last = chosen.lastEntry().getValue();
      int cost = cost(last);
      OrientLine shorter = fitted(last, cost - (over - gone) - NEAR);
      boolean says = shorter.chars() >= LEAST_CHARS && shorter.chars() < last.chars();
      if (says) {
        chosen.put(last.id(), shorter);
        gone = over;
      } else {
        var _ = chosen.pollLastEntry();
        gone += cost;
      }
    }
    opened.clear();
    new ArrayList<>(chosen.values()).forEach(line -> opened.add(line.section()));
  }
}
