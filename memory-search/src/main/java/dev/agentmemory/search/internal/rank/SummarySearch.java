package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.SmallFloat;

/// Finds nodes of the table of contents by the words of their summaries.
public record SummarySearch(IndexView index, Queries queries) {

  /// The best first.
  public List<Found> find(Question question) {
    Optional<Query> query = queries.summaries(question);
    return query.isEmpty()
        ? List.of()
        : index.read(searcher -> find(searcher, query.get(), question));
  }

  private List<Found> find(IndexSearcher searcher, Query query, Question question)
      throws IOException {
    ScoreDoc[] hits = searcher.search(query, SearchRequest.MAX_REACH).scoreDocs;
    Map<Integer, Double> relevance =
        relevance(searcher, hits, queries.terms(question.read().text()));
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < hits.length; i++) {
      Vectors.Place place = Vectors.place(searcher.getIndexReader(), hits[i].doc);
      double score = hits[i].score;
      NodeId id = question.visible(NodeId.parse(place.uid()).orElseThrow());
      found.add(
          new Found(
              id.value(),
              id.level() == TocLevel.SEGMENT ? HitKind.SEGMENT : HitKind.ROLLUP,
              place.time(),
              score,
              Objects.requireNonNull(relevance.get(hits[i].doc)),
              new Parts(OptionalInt.of(i + 1), OptionalInt.empty(), score, 0, 0, 1, Map.of()),
              Said.once(Instant.ofEpochMilli(place.time())),
              /* complete= */ false,
              Optional.empty()));
    }
    return OrderedRelevance.of(found);
  }

  /// By document: as of the window of a turn without a vector, so that both can be compared. What a
  /// word weighs is told from events, as a word of one event may be in every summary above it.
  private static Map<Integer, Double> relevance(
      IndexSearcher searcher, ScoreDoc[] hits, List<String> terms) throws IOException {
    List<CandidateTurn> nodes =
        Stream.of(hits).map(hit -> new CandidateTurn(hit.doc, 0, terms.size())).toList();
    for (LeafTurns here : LeafTurns.of(searcher, nodes)) {
      LeafReader reader = here.leaf().reader();
      for (int t = 0; t < terms.size(); t++) {
        int term = t;
        PostingsEnum having =
            reader.postings(new Term(Fields.SUMMARY, terms.get(term)), PostingsEnum.FREQS);
        here.visit(having, node -> node.counts[term] = having.freq());
      }
      NumericDocValues norms = reader.getNormValues(Fields.SUMMARY);
      here.visit(norms, node -> node.length = SmallFloat.byte4ToInt((byte) norms.longValue()));
    }
    var weights = new QueryWeights(searcher, Fields.WORDS, terms);
    double usual = new QueryWeights(searcher, Fields.SUMMARY, terms).averageLength();
    // Beginnings of words are all that was asked for: a hit has one.
    return nodes.stream()
        .collect(
            Collectors.toMap(
                node -> node.doc,
                node ->
                    Relevance.ofWords(
                        terms.isEmpty()
                            ? 1
                            : weights.share(weights.bm25(node.counts, node.length, usual)))));
  }
}
