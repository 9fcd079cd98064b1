package dev.agentmemory.search;

import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/// Counts what a search has looked through, and what its conditions have left out. Takes some
/// counting queries, so it is done only for a search that explains itself.
record CoverageCounts(IndexView index, Queries queries) {

  /// @param irrelevant hits that were left out because of their relevance
  Coverage of(Question question, long irrelevant) {
    return index.read(searcher -> {
      var sums = new Sums(searcher, queries, question);
      Set<HitKind> kinds = question.kinds();
      if (kinds.contains(HitKind.EVENT)) {
        sums.add(queries.eventsThatPass(question), /* events= */ true);
      }
      if (kinds.contains(HitKind.SEGMENT) || kinds.contains(HitKind.ROLLUP)) {
        sums.add(queries.summariesThatPass(question), /* events= */ false);
      }
      return sums.coverage(irrelevant);
    });
  }

  /// Sums over events and summaries.
  private static final class Sums {

    private final IndexSearcher searcher;
    private final Queries queries;
    private final Question question;
    private final Map<Coverage.Condition, Long> excluded = new EnumMap<>(Coverage.Condition.class);
    private long searched;
    private long passing;
    private long matching;

    Sums(IndexSearcher searcher, Queries queries, Question question) {
      this.searcher = searcher;
      this.queries = queries;
      this.question = question;
    }

    /// @param pass those that meet all conditions
    void add(Query pass, boolean events) throws IOException {
      Query all = queries.all(question, events);
      searched += searcher.count(all);
      passing += searcher.count(pass);
      Optional<Query> words = queries.anyWord(question, events);
      if (words.isPresent()) {
        Query match = both(all, words.get());
        matching += searcher.count(match);
        for (var missed : queries.missed(question, events).entrySet()) {
          long count = searcher.count(both(match, missed.getValue()));
          excluded.merge(missed.getKey(), count, Long::sum);
        }
      }
    }

    private static Query both(Query one, Query other) {
      return new BooleanQuery.Builder()
          .add(one, BooleanClause.Occur.FILTER)
          .add(other, BooleanClause.Occur.FILTER)
          .build();
    }

    Coverage coverage(long irrelevant) {
      List<Coverage.Excluded> all = new ArrayList<>();
      excluded.forEach((condition, count) -> all.add(new Coverage.Excluded(condition, count)));
      return new Coverage(searched, passing, matching, all, irrelevant);
    }
  }
}
