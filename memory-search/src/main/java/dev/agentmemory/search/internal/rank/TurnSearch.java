package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.text.Traits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;

/// Finds turns: the first hits by words and by meaning, and what stands beside them.
public record TurnSearch(IndexSearcher searcher, IndexQuery question) {

  /// Hits of each leg that are looked at; by words, as many again may be added of what was said.
  static final int LEG = 100;

  /// Neighbours of a hit that are candidates themselves.
  private static final int NEIGHBOURS = 2;

  /// Of equal hits the newest come first: where a hundred say the same, those are looked at.
  private static final Sort BEST =
      new Sort(SortField.FIELD_SCORE, new SortField(Fields.TIME, SortField.Type.LONG, true));

  /// Candidates with their features, in no particular order.
  public List<CandidateTurn> candidates() throws IOException {
    List<ScoreDoc> lexical = lexical();
    ScoreDoc[] semantic = semantic();
    int[] seeds =
        Stream.concat(lexical.stream(), Stream.of(semantic))
            .mapToInt(hit -> hit.doc)
            .distinct()
            .sorted()
            .toArray();
    List<SessionTurns> sessions = CandidateContext.of(searcher, question, seeds);
    Map<Integer, CandidateTurn> turns =
        sessions.stream()
            .flatMap(session -> session.turns().stream())
            .filter(turn -> Arrays.binarySearch(seeds, turn.doc) >= 0)
            .collect(Collectors.toMap(turn -> turn.doc, turn -> turn));
    for (int i = 0; i < lexical.size(); i++) {
      seen(turns, lexical.get(i)).lexicalRank = i + 1;
    }
    for (int i = 0; i < semantic.length; i++) {
      seen(turns, semantic[i]).semanticRank = i + 1;
    }
    List<CandidateTurn> candidates = beside(sessions);
    List<LeafTurns> leaves = LeafTurns.of(searcher, candidates);
    for (LeafTurns here : leaves) {
      name(here);
    }
    for (Query phrase : question.phrases()) {
      markHolders(phrase, leaves);
    }
    Features features = new Features(searcher, question);
    double usual =
        sessions.stream().mapToDouble(session -> session.spoken().length()).average().orElse(1);
    sessions.forEach(session -> features.fill(session, usual));
    if (candidates.stream().anyMatch(turn -> !turn.traits.isSpoken())) {
      candidates.forEach(turn -> turn.set(Feature.SESSION_OF_WORK, turn.get(Feature.SESSION)));
    }
    candidates.forEach(turn -> turn.relevance = relevance(turn, features));
    return candidates;
  }

  private double relevance(CandidateTurn turn, Features features) {
    if (!question.terms().isEmpty()) {
      return Relevance.of(turn, features.cover(turn));
    }
    return Double.isNaN(turn.cosine)
        // Beginnings of words or identifiers are all that was asked for: a hit has one.
        ? Relevance.of(turn, turn.lexicalRank > 0 ? 1 : 0)
        : Relevance.ofMeaning(turn);
  }

  private static CandidateTurn seen(Map<Integer, CandidateTurn> turns, ScoreDoc hit) {
    return Objects.requireNonNull(turns.get(hit.doc), "a hit outside every session");
  }

  /// The first hits. Where there are more, and tools or programs wrote some of the first, the first
  /// hits that people and agents said follow: the output of tools may fill all places.
  private List<ScoreDoc> lexical() throws IOException {
    if (question.words().isEmpty()) {
      return List.of();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(question.words().get(), BooleanClause.Occur.MUST);
    question.everyHit().ifPresent(filter -> query.add(filter, BooleanClause.Occur.FILTER));
    List<ScoreDoc> first = first(query.build());
    if (first.size() < LEG || areAllSpoken(first)) {
      return first;
    }
    query.add(Queries.SAID, BooleanClause.Occur.FILTER);
    Set<Integer> found = first.stream().map(hit -> hit.doc).collect(Collectors.toSet());
    return Stream.concat(
            first.stream(), first(query.build()).stream().filter(hit -> !found.contains(hit.doc)))
        .toList();
  }

  private List<ScoreDoc> first(Query query) throws IOException {
    return List.of(searcher.search(query, new TopFieldCollectorManager(BEST, LEG, LEG)).scoreDocs);
  }

  private boolean areAllSpoken(List<ScoreDoc> hits) throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    for (ScoreDoc hit : hits) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
      NumericDocValues traits = DocValues.getNumeric(leaf.reader(), Fields.TRAITS);
      if (traits.advanceExact(hit.doc - leaf.docBase)
          && !Traits.of(traits.longValue()).isSpoken()) {
        return false;
      }
    }
    return true;
  }

  private ScoreDoc[] semantic() throws IOException {
    if (question.vector().isEmpty()) {
      return new ScoreDoc[0];
    }
    EventDocuments.Vector vector = question.vector().get();
    Query filter = question.everyHit().orElse(null);
    return searcher.search(
            new KnnFloatVectorQuery(vector.field(), vector.values(), LEG, filter), LEG)
        .scoreDocs;
  }

  /// The hits and their neighbours; of a filtered search the hits only, as they are what was
  /// checked.
  private List<CandidateTurn> beside(List<SessionTurns> sessions) {
    // Where only beginnings of words are asked for, nothing tells whether a neighbour has one.
    int around = question.terms().isEmpty() && question.vector().isEmpty() ? 0 : NEIGHBOURS;
    List<CandidateTurn> candidates = new ArrayList<>();
    for (SessionTurns one : sessions) {
      List<CandidateTurn> session = one.turns();
      boolean[] near = new boolean[session.size()];
      for (int i = 0; i < near.length; i++) {
        if (session.get(i).isHit()) {
          for (int j = Math.max(0, i - around); j < Math.min(near.length, i + around + 1); j++) {
            near[j] |= Math.abs(session.get(i).place - session.get(j).place) <= around;
          }
        }
      }
      for (int i = 0; i < near.length; i++) {
        if (near[i] && (question.filter().isEmpty() || session.get(i).isHit())) {
          session.get(i).candidate = true;
          candidates.add(session.get(i));
        }
      }
    }
    return candidates;
  }

  /// Reads who the candidates are.
  private static void name(LeafTurns here) throws IOException {
    BinaryDocValues ids = DocValues.getBinary(here.leaf().reader(), Fields.UID);
    here.visit(ids, turn -> turn.uid = BytesRef.deepCopyOf(ids.binaryValue()));
    NumericDocValues texts = DocValues.getNumeric(here.leaf().reader(), Fields.TEXT);
    here.visit(texts, turn -> turn.text = texts.longValue());
    SortedDocValues speakers = DocValues.getSorted(here.leaf().reader(), Fields.SPEAKER);
    here.visit(
        speakers, turn -> turn.speaker = speakers.lookupOrd(speakers.ordValue()).utf8ToString());
  }

  /// Reads which candidates hold a phrase.
  private void markHolders(Query phrase, List<LeafTurns> leaves) throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(phrase), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (LeafTurns here : leaves) {
      Scorer scorer = weight.scorer(here.leaf());
      here.visit(
          scorer == null ? null : scorer.iterator(),
          turn -> turn.phrases += 1.0 / question.phrases().size());
    }
  }
}
