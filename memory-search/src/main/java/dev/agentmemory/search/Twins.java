package dev.agentmemory.search;

import dev.agentmemory.api.search.SearchRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.util.VectorUtil;
import org.jspecify.annotations.Nullable;

/// Makes one hit of those that are the same [Statement] by the same speaker: the newest of those
/// that fit the time of the question best, at the place of the best. What the index knows of texts
/// only says which are worth reading; the texts decide.
final class Twins {

  /// Vectors nearer than this may be of the same statement: their texts are read.
  static final double SAME = 0.95;

  /// Hits whose vectors are compared, the best ones: beyond them nobody notices.
  private static final int COMPARED = 50;

  private static final Comparator<Turn> OLDEST_FIRST =
      Comparator.comparingLong((Turn turn) -> turn.time).thenComparing(turn -> turn.uid);

  private Twins() {}

  /// A statement and who makes it.
  private record Made(Statement statement, String speaker) {}

  /// @param ranked the best first
  /// @param vectors of those that have one
  /// @param read reads what turns state; a turn may be missing from the answer
  static List<Turn> without(
      List<Turn> ranked,
      Map<Turn, float[]> vectors,
      Function<List<Turn>, Map<Turn, Statement>> read) {
    List<Turn> looked = ranked.subList(0, Math.min(ranked.size(), 2 * SearchRequest.MAX_REACH));
    List<Turn> suspects = suspects(looked, vectors);
    if (suspects.isEmpty()) {
      return ranked;
    }
    Map<Turn, Statement> statements = read.apply(suspects);
    Map<Made, List<Turn>> groups = new LinkedHashMap<>();
    List<List<Turn>> order = new ArrayList<>();
    for (Turn turn : ranked) {
      Statement statement = statements.get(turn);
      if (statement == null) {
        order.add(List.of(turn));
        continue;
      }
      groups
          .computeIfAbsent(
              new Made(statement, turn.speaker),
              absent -> {
                List<Turn> group = new ArrayList<>();
                order.add(group);
                return group;
              })
          .add(turn);
    }
    return order.stream().map(Twins::newest).toList();
  }

  /// Those that look like another one. What the index has not read to its end is never among them,
  /// nor what is a candidate for what stands beside it only: there "yes, do it" answers another
  /// question each time.
  private static List<Turn> suspects(List<Turn> ranked, Map<Turn, float[]> vectors) {
    Set<Turn> suspects = new LinkedHashSet<>();
    Map<Long, Turn> texts = new HashMap<>();
    List<Turn> whole =
        ranked.stream()
            .filter(Turn::isHit)
            .filter(turn -> turn.text != 0 && turn.traits.chars() <= EventDocuments.MAX_TEXT)
            .toList();
    for (Turn turn : whole) {
      Turn other = texts.putIfAbsent(turn.text, turn);
      if (other != null) {
        suspects.add(other);
        suspects.add(turn);
      }
    }
    List<Turn> compared = whole.subList(0, Math.min(COMPARED, whole.size()));
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

  private static boolean near(float @Nullable [] one, float @Nullable [] other) {
    return one != null && other != null && VectorUtil.dotProduct(one, other) > SAME;
  }

  private static double fit(Turn turn) {
    return turn.get(Feature.TIME);
  }

  /// @param group the best first
  private static Turn newest(List<Turn> group) {
    if (group.size() == 1) {
      return group.getFirst();
    }
    // Of then where the question names a time: the same was said then, too.
    Turn newest =
        group.stream()
            .max(Comparator.comparingDouble(Twins::fit).thenComparing(OLDEST_FIRST))
            .orElseThrow();
    newest.times = group.size();
    newest.since = group.stream().min(OLDEST_FIRST).orElseThrow().time;
    newest.raise(group.getFirst());
    return newest;
  }
}
