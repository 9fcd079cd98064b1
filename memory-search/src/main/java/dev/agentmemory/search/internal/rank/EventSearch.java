package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.EventSlices;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.search.IndexSearcher;

/// Finds events, in four steps: the candidates with their features ([TurnSearch]), their order
/// ([Ranking]), one hit of those that state the same ([NearDuplicates]), and the newer of
/// look-alikes first ([Freshness]).
///
/// @param log has the texts of near duplicates
public record EventSearch(IndexView index, Queries queries, EventReader log) {

  /// @param vectors of those turns that have one
  private record Ranked(List<CandidateTurn> turns, Map<CandidateTurn, float[]> vectors) {}

  /// The best first.
  public List<Found> find(Question question) {
    IndexQuery query = queries.events(question);
    Ranked ranked = index.read(searcher -> ranked(searcher, query, question));
    List<CandidateTurn> suspects = NearDuplicates.suspects(ranked.turns(), ranked.vectors());
    List<CandidateTurn> merged =
        NearDuplicates.merged(ranked.turns(), statements(suspects, question));
    List<CandidateTurn> turns =
        switch (question.request().fusion()) {
          case WEIGHTED -> Freshness.newerFirst(merged, ranked.vectors(), query.terms());
          // Who asks for it wants the order of the two lists and no other.
          case RECIPROCAL_RANK -> merged;
        };
    return OrderedRelevance.of(turns.stream().map(turn -> Found.of(turn, question)).toList());
  }

  private static Ranked ranked(IndexSearcher searcher, IndexQuery query, Question question)
      throws IOException {
    List<CandidateTurn> turns = new TurnSearch(searcher, query).candidates();
    switch (question.request().fusion()) {
      case WEIGHTED -> Ranking.rank(turns);
      case RECIPROCAL_RANK -> Ranking.fuseRanks(turns);
    }
    Map<CandidateTurn, float[]> vectors = new HashMap<>();
    if (query.vector().isPresent()) {
      String field = query.vector().get().field();
      for (CandidateTurn turn : turns.subList(0, Math.min(SearchRequest.MAX_REACH, turns.size()))) {
        Vectors.of(searcher.getIndexReader(), field, turn.doc)
            .ifPresent(vector -> vectors.put(turn, vector));
      }
    }
    return new Ranked(turns, vectors);
  }

  /// What turns state: of those that are in the log and have words.
  private Map<CandidateTurn, StatementIdentity> statements(
      List<CandidateTurn> turns, Question question) {
    Map<EventId, CandidateTurn> byId = new HashMap<>();
    List<EventKey> keys = new ArrayList<>();
    for (CandidateTurn turn : turns) {
      EventId id = question.visible(turn.id());
      byId.put(id, turn);
      keys.add(EventDocuments.key(turn.time, id.value()));
    }
    Map<CandidateTurn, StatementIdentity> statements = new HashMap<>();
    EventSlices.read(
        log,
        keys,
        events -> {
          for (Event event : events) {
            CandidateTurn turn = Objects.requireNonNull(byId.get(event.id()), "not asked for");
            StatementIdentity.of(event.text())
                .ifPresent(statement -> statements.put(turn, statement));
          }
        });
    return statements;
  }
}
