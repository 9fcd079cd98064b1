package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.SearchRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.util.VectorUtil;

/// Puts the newer of two look-alikes first: what was said later in nearly the same words may
/// correct what was said before, and no model can tell.
///
/// A turn comes before an older one when the older one has as many of the question's words as any,
/// both look alike, and the newer answers the question as well: it has the words that the older one
/// has, and neither who speaks nor when it was nor the kind of sentence speaks against it. Of an
/// older turn the newest such one goes before it; the order is left alone otherwise.
public final class Freshness {

  /// Cosine from which two turns look alike.
  static final double ALIKE = 0.8;

  /// By how much the cosine with the question may be less: when the newer one has all of the
  /// question's words that the older one has, when it lacks small ones, and when there are none.
  private static final double LOOSELY = 0.2;

  private static final double NEARLY = 0.1;

  private static final double EQUALLY = 0.01;

  /// Without vectors: by what factor the length of look-alikes may differ.
  private static final double LENGTHS = 1.5;

  /// Without vectors: what part of the question's words look-alikes have to hold.
  private static final double MOST = 0.5;

  /// Share of the best cover from which a turn is taken for an answer.
  private static final double COVERS = 0.9;

  /// Share of the older one's cover that a newer one has to have where small terms differ.
  private static final double COVERS_NEARLY = 0.8;

  /// Length up to which a term is small, in UTF-16 units.
  private static final int SHORT = 3;

  private final List<CandidateTurn> ranked;
  private final Map<CandidateTurn, float[]> vectors;
  private final List<String> terms;
  private final double bestCover;
  private final List<CandidateTurn> ordered = new ArrayList<>();
  private final Set<CandidateTurn> placed = new HashSet<>();

  private Freshness(
      List<CandidateTurn> ranked, Map<CandidateTurn, float[]> vectors, List<String> terms) {
    this.ranked = ranked;
    this.vectors = vectors;
    this.terms = terms;
    this.bestCover =
        ranked.stream().filter(turn -> !asks(turn)).mapToDouble(turn -> turn.cover).max().orElse(0);
  }

  /// @param ranked the best first
  /// @param vectors of those that have one
  /// @param terms of the question
  public static List<CandidateTurn> newerFirst(
      List<CandidateTurn> ranked, Map<CandidateTurn, float[]> vectors, List<String> terms) {
    int reach = Math.min(ranked.size(), SearchRequest.MAX_REACH);
    Freshness freshness = new Freshness(ranked.subList(0, reach), vectors, terms);
    freshness.ranked.forEach(freshness::place);
    freshness.ordered.addAll(ranked.subList(reach, ranked.size()));
    return freshness.ordered;
  }

  private void place(CandidateTurn turn) {
    if (placed.add(turn)) {
      newest(turn)
          .ifPresent(newer -> {
            newer.raise(turn);
            // Every step goes forward in time, so this ends.
            place(newer);
          });
      ordered.add(turn);
    }
  }

  private Optional<CandidateTurn> newest(CandidateTurn older) {
    CandidateTurn newest = older;
    if (asks(older) || older.cover < COVERS * bestCover) {
      return Optional.empty();
    }
    for (CandidateTurn turn : ranked) {
      if (turn.time > newest.time
          && !placed.contains(turn)
          && answersAsWell(turn, older)
          && alike(turn, older)) {
        newest = turn;
      }
    }
    return newest == older ? Optional.empty() : Optional.of(newest);
  }

  private static boolean asks(CandidateTurn turn) {
    return turn.get(Feature.QUESTION) > 0;
  }

  private boolean answersAsWell(CandidateTurn newer, CandidateTurn older) {
    boolean hasAll = true;
    for (int term = 0; term < older.counts.length; term++) {
      boolean lacks = older.counts[term] > 0 && newer.counts[term] == 0;
      if (lacks && !(isSmall(terms.get(term)) && newer.cover >= COVERS_NEARLY * older.cover)) {
        return false;
      }
      hasAll &= !lacks;
    }
    for (Feature feature :
        List.of(Feature.EXACT, Feature.SPEAKER, Feature.PERSON, Feature.TIME, Feature.PHRASE)) {
      if (newer.get(feature) < older.get(feature)) {
        return false;
      }
    }
    return !asks(newer) && isAsNear(newer, older, hasAll);
  }

  /// Whether a term is two characters of a script without spaces, which may reach across two words,
  /// or as short as the words are that a sentence only needs for its grammar.
  private static boolean isSmall(String term) {
    return term.length() <= SHORT && term.chars().allMatch(Character::isLetter);
  }

  private static boolean isAsNear(CandidateTurn newer, CandidateTurn older, boolean hasAll) {
    double less = older.counts.length == 0 ? EQUALLY : hasAll ? LOOSELY : NEARLY;
    // What is not known speaks against nothing.
    return !(newer.cosine < older.cosine - less);
  }

  private boolean alike(CandidateTurn one, CandidateTurn other) {
    float[] vector = vectors.get(one);
    float[] otherVector = vectors.get(other);
    if (vector != null && otherVector != null) {
      return VectorUtil.dotProduct(vector, otherVector) >= ALIKE;
    }
    double shorter = Math.min(one.length, other.length);
    double longer = Math.max(one.length, other.length);
    return Math.min(one.cover, other.cover) >= MOST && longer <= LENGTHS * shorter;
  }
}
