package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.text.Traits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.SmallFloat;
import org.apache.lucene.util.VectorUtil;

/// The turns around the first hits of a search, by session. They are read from the index at query
/// time. So no document is updated when a neighbour is added later, and each word is indexed once.
///
/// Limits: the cost is proportional to the number of turns read, not to the size of the index.
final class CandidateContext {

  /// Turns of a session that are read on each side of a hit.
  static final int REACH = 100;

  private final IndexSearcher searcher;
  private final IndexQuery question;
  private final List<BytesRef> sessions = new ArrayList<>();
  private final List<List<CandidateTurn>> turns = new ArrayList<>();

  private CandidateContext(IndexSearcher searcher, IndexQuery question) {
    this.searcher = searcher;
    this.question = question;
  }

  /// @param seeds numbers of the first hits, ascending
  static CandidateContext of(IndexSearcher searcher, IndexQuery question, int[] seeds)
      throws IOException {
    CandidateContext context = new CandidateContext(searcher, question);
    context.findSessions(seeds);
    context.findTurns(seeds);
    context.count();
    return context;
  }

  /// The turns read of each session, by time.
  List<List<CandidateTurn>> sessions() {
    return turns;
  }

  String session(CandidateTurn turn) {
    return sessions.get(turn.session).utf8ToString();
  }

  private void findSessions(int[] seeds) throws IOException {
    Set<BytesRef> found = new LinkedHashSet<>();
    int next = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      SortedDocValues column = DocValues.getSorted(leaf.reader(), Fields.SESSION);
      int end = leaf.docBase + leaf.reader().maxDoc();
      for (; next < seeds.length && seeds[next] < end; next++) {
        if (column.advanceExact(seeds[next] - leaf.docBase)) {
          found.add(BytesRef.deepCopyOf(column.lookupOrd(column.ordValue())));
        }
      }
    }
    sessions.addAll(found);
    sessions.sort(Comparator.naturalOrder());
  }

  /// A turn of a session, before anything is read of it.
  private record Spot(int doc, long time) {}

  private void findTurns(int[] seeds) throws IOException {
    List<List<Spot>> all = new ArrayList<>();
    sessions.forEach(session -> all.add(new ArrayList<>()));
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Terms terms = leaf.reader().terms(Fields.SESSION);
      TermsEnum seek = terms == null ? TermsEnum.EMPTY : terms.iterator();
      for (int s = 0; s < sessions.size(); s++) {
        if (seek.seekExact(sessions.get(s))) {
          find(leaf, seek.postings(null, PostingsEnum.NONE), all.get(s));
        }
      }
    }
    for (int s = 0; s < all.size(); s++) {
      all.get(s).sort(Comparator.comparingLong(Spot::time).thenComparingInt(Spot::doc));
      turns.add(near(s, all.get(s), seeds));
    }
  }

  private static void find(LeafReaderContext leaf, PostingsEnum docs, List<Spot> found)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    NumericDocValues times = DocValues.getNumeric(leaf.reader(), Fields.TIME);
    for (int d = docs.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = docs.nextDoc()) {
      if ((live == null || live.get(d)) && times.advanceExact(d)) {
        found.add(new Spot(leaf.docBase + d, times.longValue()));
      }
    }
  }

  /// Leaves out what is far from every hit. What is left is numbered by its place, with a gap where
  /// something was left out.
  private List<CandidateTurn> near(int session, List<Spot> spots, int[] seeds) {
    boolean[] near = new boolean[spots.size()];
    for (int i = 0; i < near.length; i++) {
      if (Arrays.binarySearch(seeds, spots.get(i).doc()) >= 0) {
        Arrays.fill(near, Math.max(0, i - REACH), Math.min(near.length, i + REACH + 1), true);
      }
    }
    List<CandidateTurn> turns = new ArrayList<>();
    for (int i = 0; i < near.length; i++) {
      if (near[i]) {
        Spot spot = spots.get(i);
        CandidateTurn turn =
            new CandidateTurn(spot.doc(), session, spot.time(), question.terms().size());
        turn.place = i;
        turns.add(turn);
      }
    }
    return turns;
  }

  /// Reads how often the terms occur in every turn in context.
  private void count() throws IOException {
    CandidateTurn[] all = turns.stream().flatMap(List::stream).toArray(CandidateTurn[]::new);
    Arrays.sort(all, Comparator.comparingInt(turn -> turn.doc));
    int from = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      int end = leaf.docBase + leaf.reader().maxDoc();
      int to = from;
      while (to < all.length && all[to].doc < end) {
        to++;
      }
      if (to > from) {
        read(leaf, Arrays.asList(all).subList(from, to));
      }
      from = to;
    }
  }

  private void read(LeafReaderContext leaf, List<CandidateTurn> here) throws IOException {
    Terms terms = leaf.reader().terms(Fields.WORDS);
    if (terms != null) {
      TermsEnum seek = terms.iterator();
      for (int t = 0; t < question.terms().size(); t++) {
        if (seek.seekExact(new BytesRef(question.terms().get(t)))) {
          count(seek.postings(null, PostingsEnum.FREQS), leaf.docBase, here, t);
        }
      }
    }
    Terms exact = leaf.reader().terms(Fields.EXACT);
    if (exact != null) {
      TermsEnum seek = exact.iterator();
      for (String identifier : question.identifiers()) {
        if (seek.seekExact(new BytesRef(identifier))) {
          mark(seek.postings(null, PostingsEnum.NONE), leaf.docBase, here);
        }
      }
    }
    NumericDocValues norms = leaf.reader().getNormValues(Fields.WORDS);
    NumericDocValues traits = DocValues.getNumeric(leaf.reader(), Fields.TRAITS);
    for (CandidateTurn turn : here) {
      int d = turn.doc - leaf.docBase;
      if (norms != null && norms.advanceExact(d)) {
        turn.length = SmallFloat.byte4ToInt((byte) norms.longValue());
      }
      if (traits.advanceExact(d)) {
        turn.traits = Traits.of(traits.longValue());
      }
    }
    if (question.vector().isPresent()) {
      measure(leaf, here, question.vector().get());
    }
  }

  private static void count(PostingsEnum docs, int base, List<CandidateTurn> here, int term)
      throws IOException {
    int at = -1;
    for (CandidateTurn turn : here) {
      int d = turn.doc - base;
      if (at < d) {
        at = docs.advance(d);
      }
      if (at == d) {
        turn.counts[term] = docs.freq();
      }
      if (at == DocIdSetIterator.NO_MORE_DOCS) {
        return;
      }
    }
  }

  private static void mark(PostingsEnum docs, int base, List<CandidateTurn> here)
      throws IOException {
    int at = -1;
    for (CandidateTurn turn : here) {
      int d = turn.doc - base;
      if (at < d) {
        at = docs.advance(d);
      }
      turn.identifiers += at == d ? 1 : 0;
    }
  }

  private static void measure(
      LeafReaderContext leaf, List<CandidateTurn> here, EventDocuments.Vector query)
      throws IOException {
    FloatVectorValues values = leaf.reader().getFloatVectorValues(query.field());
    if (values == null) {
      return;
    }
    KnnVectorValues.DocIndexIterator at = values.iterator();
    for (CandidateTurn turn : here) {
      int d = turn.doc - leaf.docBase;
      if (at.docID() < d) {
        at.advance(d);
      }
      if (at.docID() == d) {
        turn.cosine = VectorUtil.dotProduct(query.values(), values.vectorValue(at.index()));
      }
    }
  }

  static Map<Integer, CandidateTurn> byDoc(List<List<CandidateTurn>> sessions) {
    Map<Integer, CandidateTurn> found = new HashMap<>();
    sessions.forEach(session -> session.forEach(turn -> found.put(turn.doc, turn)));
    return found;
  }
}
