package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.text.StatementIdentity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.VectorUtil;
import org.jspecify.annotations.Nullable;

/// Makes one hit of those that are the same [StatementIdentity] by the same speaker: the newest of
/// those that fit the time of the question best, at the place of the best. What the index knows of
/// texts only says which are worth reading; the texts decide.
public final class NearDuplicates {

  /// Vectors nearer than this may be of the same statement: their texts are read.
  static final double SAME = 0.95;

  /// Number of best hits whose vectors are compared.
  private static final int COMPARED = 50;

  private static final Comparator<CandidateTurn> OLDEST_FIRST =
      Comparator.comparingLong((CandidateTurn turn) -> turn.time).thenComparing(turn -> turn.uid);

  private NearDuplicates() {}

  /// A statement and who makes it.
  private record Made(StatementIdentity statement, String speaker) {}

  /// Those that look like another one: what they state is worth reading. What the index has not
  /// read to its end is never among them, nor what is a candidate for what stands beside it only:
  /// there "yes, do it" answers another question each time.
  ///
  /// @param ranked the best first
  /// @param vectors of those that have one
  static List<CandidateTurn> suspects(
      List<CandidateTurn> ranked, Map<CandidateTurn, float[]> vectors) {
    Set<CandidateTurn> suspects = new LinkedHashSet<>();
    Map<Long, CandidateTurn> texts = new HashMap<>();
    List<CandidateTurn> whole =
        ranked.stream()
            .limit(2 * SearchRequest.MAX_REACH)
            .filter(CandidateTurn::isHit)
            .filter(turn -> turn.text != 0 && turn.traits.chars() <= EventDocuments.MAX_TEXT)
            .toList();
    for (CandidateTurn turn : whole) {
      CandidateTurn other = texts.putIfAbsent(turn.text, turn);
      if (other != null) {
        suspects.add(other);
        suspects.add(turn);
      }
    }
    List<CandidateTurn> compared = whole.subList(0, Math.min(COMPARED, whole.size()));
    for (int i = 0; i < compared.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (near(vectors.get(compared.get(i)), vectors.get(compared.get(j)))) {
          suspects.add(compared.get(i));
          suspects.add(compared.get(j));
        }
      }
    }
    return List.copyOf(suspects);
  }

  /// @param ranked the best first
  /// @param statements what turns state, of those that may state the same as another one
  static List<CandidateTurn> merged(
      List<CandidateTurn> ranked, Map<CandidateTurn, StatementIdentity> statements) {
    Map<Made, List<CandidateTurn>> groups = new LinkedHashMap<>();
    List<List<CandidateTurn>> order = new ArrayList<>();
    for (CandidateTurn turn : ranked) {
      StatementIdentity statement = statements.get(turn);
      if (statement == null) {
        order.add(List.of(turn));
        continue;
      }
      groups
          .computeIfAbsent(
              new Made(statement, turn.speaker),
              absent -> {
                List<CandidateTurn> group = new ArrayList<>();
                order.add(group);
                return group;
              })
          .add(turn);
    }
    return order.stream().map(NearDuplicates::newest).toList();
  }

  private static boolean near(float @Nullable [] one, float @Nullable [] other) {
    return one != null && other != null && VectorUtil.dotProduct(one, other) > SAME;
  }

  private static double fit(CandidateTurn turn) {
    return turn.get(Feature.TIME);
  }

  /// @param group the best first
  private static CandidateTurn newest(List<CandidateTurn> group) {
    if (group.size() == 1) {
      return group.getFirst();
    }
    // Of then where the question names a time: the same was said then, too.
    CandidateTurn newest =
        group.stream()
            .max(Comparator.comparingDouble(NearDuplicates::fit).thenComparing(OLDEST_FIRST))
            .orElseThrow();
    newest.times = group.size();
    newest.since = group.stream().min(OLDEST_FIRST).orElseThrow().time;
    newest.raise(group.getFirst());
    return newest;
  }
}
