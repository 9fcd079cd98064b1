package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.text.Traits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
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

  /// Turns of a session whose words count for the session, from its beginning.
  private static final int MOST_TURNS = 2000;

  private final IndexSearcher searcher;
  private final IndexQuery question;

  private CandidateContext(IndexSearcher searcher, IndexQuery question) {
    this.searcher = searcher;
    this.question = question;
  }

  /// @param seeds numbers of the first hits, ascending
  /// @return the turns near the hits of each session, by time, and what was said in the session
  static List<SessionTurns> of(IndexSearcher searcher, IndexQuery question, int[] seeds)
      throws IOException {
    var context = new CandidateContext(searcher, question);
    Map<BytesRef, List<Spot>> spots = context.sessions(seeds);
    context.find(spots);
    List<SessionTurns> sessions = new ArrayList<>();
    for (List<Spot> session : spots.values()) {
      session.sort(Comparator.comparingLong(Spot::time).thenComparingInt(Spot::doc));
      sessions.add(context.turns(session, seeds));
    }
    List<CandidateTurn> all =
        sessions.stream().flatMap(session -> session.turns().stream()).toList();
    for (LeafTurns here : LeafTurns.of(searcher, all)) {
      context.read(here);
    }
    for (SessionTurns session : sessions) {
      session.turns().stream()
          .filter(turn -> turn.place < MOST_TURNS)
          .forEach(session.spoken()::add);
    }
    SpokenWords.read(
        searcher, question.terms(), sessions.stream().map(SessionTurns::spoken).toList());
    return sessions;
  }

  /// A turn of a session, before anything is read of it.
  private record Spot(int doc, long time) {}

  /// The sessions of the first hits, still without turns.
  private Map<BytesRef, List<Spot>> sessions(int[] seeds) throws IOException {
    Map<BytesRef, List<Spot>> found = new TreeMap<>();
    int next = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      SortedDocValues column = DocValues.getSorted(leaf.reader(), Fields.SESSION);
      int end = leaf.docBase + leaf.reader().maxDoc();
      for (; next < seeds.length && seeds[next] < end; next++) {
        if (column.advanceExact(seeds[next] - leaf.docBase)) {
          BytesRef session = column.lookupOrd(column.ordValue());
          found.putIfAbsent(BytesRef.deepCopyOf(session), new ArrayList<>());
        }
      }
    }
    return found;
  }

  private void find(Map<BytesRef, List<Spot>> sessions) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Terms terms = leaf.reader().terms(Fields.SESSION);
      TermsEnum seek = terms == null ? TermsEnum.EMPTY : terms.iterator();
      for (Map.Entry<BytesRef, List<Spot>> session : sessions.entrySet()) {
        if (seek.seekExact(session.getKey())) {
          find(leaf, seek.postings(null, PostingsEnum.NONE), session.getValue());
        }
      }
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

  /// What is far from every hit only counts for the session. The turns near one are numbered by
  /// their place, with a gap where something was left out.
  ///
  /// @param spots by time
  private SessionTurns turns(List<Spot> spots, int[] seeds) {
    boolean[] near = new boolean[spots.size()];
    for (int i = 0; i < near.length; i++) {
      if (Arrays.binarySearch(seeds, spots.get(i).doc()) >= 0) {
        Arrays.fill(near, Math.max(0, i - REACH), Math.min(near.length, i + REACH + 1), true);
      }
    }
    int terms = question.terms().size();
    List<CandidateTurn> turns = new ArrayList<>();
    IntStream.Builder far = IntStream.builder();
    for (int i = 0; i < near.length; i++) {
      Spot spot = spots.get(i);
      if (near[i]) {
        var turn = new CandidateTurn(spot.doc(), spot.time(), terms);
        turn.place = i;
        turns.add(turn);
      } else if (i < MOST_TURNS) {
        far.add(spot.doc());
      }
    }
    return new SessionTurns(turns, new SpokenWords(far.build().sorted().toArray(), terms));
  }

  /// Reads what the index has of the turns, as far as the question needs it.
  private void read(LeafTurns here) throws IOException {
    LeafReader reader = here.leaf().reader();
    for (int t = 0; t < question.terms().size(); t++) {
      int term = t;
      PostingsEnum docs =
          reader.postings(new Term(Fields.WORDS, question.terms().get(term)), PostingsEnum.FREQS);
      here.visit(docs, turn -> turn.counts[term] = docs.freq());
    }
    for (String identifier : question.identifiers()) {
      here.visit(
          reader.postings(new Term(Fields.EXACT, identifier), PostingsEnum.NONE),
          turn -> turn.identifiers++);
    }
    NumericDocValues norms = reader.getNormValues(Fields.WORDS);
    here.visit(norms, turn -> turn.length = SmallFloat.byte4ToInt((byte) norms.longValue()));
    NumericDocValues traits = DocValues.getNumeric(reader, Fields.TRAITS);
    here.visit(traits, turn -> turn.traits = Traits.of(traits.longValue()));
    if (question.vector().isPresent()) {
      measure(here, question.vector().get());
    }
  }

  private static void measure(LeafTurns here, EventDocuments.Vector query) throws IOException {
    FloatVectorValues values = here.leaf().reader().getFloatVectorValues(query.field());
    if (values != null) {
      KnnVectorValues.DocIndexIterator at = values.iterator();
      here.visit(
          at,
          turn ->
              turn.cosine = VectorUtil.dotProduct(query.values(), values.vectorValue(at.index())));
    }
  }
}
