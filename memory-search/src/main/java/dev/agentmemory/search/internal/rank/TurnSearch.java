package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.query.IndexQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
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
public final class TurnSearch {

  /// Hits of each leg that are looked at.
  static final int LEG = 100;

  /// Neighbours of a hit that are candidates themselves.
  private static final int NEIGHBOURS = 2;

  /// Of equal hits the newest come first: where a hundred say the same, those are looked at.
  private static final Sort BEST =
      new Sort(SortField.FIELD_SCORE, new SortField(Fields.TIME, SortField.Type.LONG, true));

  private final IndexSearcher searcher;
  private final IndexQuery question;

  public TurnSearch(IndexSearcher searcher, IndexQuery question) {
    this.searcher = searcher;
    this.question = question;
  }

  /// Candidates with their features, in no particular order.
  public List<CandidateTurn> candidates() throws IOException {
    ScoreDoc[] lexical = lexical();
    ScoreDoc[] semantic = semantic();
    Set<Integer> found = new LinkedHashSet<>();
    for (ScoreDoc hit : lexical) {
      found.add(hit.doc);
    }
    for (ScoreDoc hit : semantic) {
      found.add(hit.doc);
    }
    int[] seeds = found.stream().mapToInt(doc -> doc).sorted().toArray();
    CandidateContext context = CandidateContext.of(searcher, question, seeds);
    Map<Integer, CandidateTurn> turns = CandidateContext.byDoc(context.sessions());
    for (int i = 0; i < lexical.length; i++) {
      seen(turns, lexical[i]).lexicalRank = i + 1;
    }
    for (int i = 0; i < semantic.length; i++) {
      seen(turns, semantic[i]).semanticRank = i + 1;
    }
    List<CandidateTurn> candidates = beside(context.sessions());
    name(candidates);
    for (Query phrase : question.phrases()) {
      markHolders(phrase, candidates);
    }
    Features features = new Features(searcher, question);
    double usual = context.sessions().stream().mapToDouble(Features::length).average().orElse(1);
    context.sessions().forEach(session -> features.fill(session, usual));
    for (CandidateTurn turn : candidates) {
      turn.sessionId = context.session(turn);
      turn.relevance = relevance(turn, features);
    }
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

  private ScoreDoc[] lexical() throws IOException {
    if (question.words().isEmpty()) {
      return new ScoreDoc[0];
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(question.words().get(), BooleanClause.Occur.MUST);
    question.everyHit().ifPresent(filter -> query.add(filter, BooleanClause.Occur.FILTER));
    return searcher.search(query.build(), new TopFieldCollectorManager(BEST, LEG, LEG)).scoreDocs;
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
  private List<CandidateTurn> beside(List<List<CandidateTurn>> sessions) {
    List<CandidateTurn> candidates = new ArrayList<>();
    for (List<CandidateTurn> session : sessions) {
      boolean[] near = new boolean[session.size()];
      for (int i = 0; i < near.length; i++) {
        if (session.get(i).isHit()) {
          for (int j = Math.max(0, i - NEIGHBOURS);
              j < Math.min(near.length, i + NEIGHBOURS + 1);
              j++) {
            near[j] |= Math.abs(session.get(i).place - session.get(j).place) <= NEIGHBOURS;
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

  /// Reads which candidates hold a phrase.
  private void markHolders(Query phrase, List<CandidateTurn> candidates) throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(phrase), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (Map.Entry<LeafReaderContext, List<CandidateTurn>> here : byLeaf(candidates).entrySet()) {
      Scorer scorer = weight.scorer(here.getKey());
      DocIdSetIterator docs = scorer == null ? DocIdSetIterator.empty() : scorer.iterator();
      for (CandidateTurn turn : here.getValue()) {
        int d = turn.doc - here.getKey().docBase;
        if ((docs.docID() < d ? docs.advance(d) : docs.docID()) == d) {
          turn.phrases += 1.0 / question.phrases().size();
        }
      }
    }
  }

  /// The turns of each part of the index, in the order of their documents.
  private Map<LeafReaderContext, List<CandidateTurn>> byLeaf(List<CandidateTurn> turns) {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    Map<LeafReaderContext, List<CandidateTurn>> byLeaf = new HashMap<>();
    for (CandidateTurn turn : turns) {
      byLeaf
          .computeIfAbsent(
              leaves.get(ReaderUtil.subIndex(turn.doc, leaves)), absent -> new ArrayList<>())
          .add(turn);
    }
    byLeaf.values().forEach(here -> here.sort(Comparator.comparingInt(turn -> turn.doc)));
    return byLeaf;
  }

  /// Reads who the candidates are.
  private void name(List<CandidateTurn> candidates) throws IOException {
    for (Map.Entry<LeafReaderContext, List<CandidateTurn>> entry : byLeaf(candidates).entrySet()) {
      LeafReaderContext leaf = entry.getKey();
      List<CandidateTurn> here = entry.getValue();
      BinaryDocValues ids = DocValues.getBinary(leaf.reader(), Fields.UID);
      NumericDocValues texts = DocValues.getNumeric(leaf.reader(), Fields.TEXT);
      SortedDocValues speakers = DocValues.getSorted(leaf.reader(), Fields.SPEAKER);
      for (CandidateTurn turn : here) {
        int d = turn.doc - leaf.docBase;
        if (texts.advanceExact(d)) {
          turn.text = texts.longValue();
        }
        if (ids.advanceExact(d)) {
          turn.uid = BytesRef.deepCopyOf(ids.binaryValue());
        }
        if (speakers.advanceExact(d)) {
          turn.speaker = speakers.lookupOrd(speakers.ordValue()).utf8ToString();
        }
      }
    }
  }
}
