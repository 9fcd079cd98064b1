package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.text.Traits;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.SmallFloat;

/// How often the words of a query were said in a session. What tools put out does not count: it is
/// most of the text of a coding session, and is rarely what somebody remembers of it.
final class SpokenWords {

  /// Turns that are still to be read, ascending.
  private final int[] docs;

  private final float[] counts;
  private double length;

  /// @param docs turns of the session that only count here, ascending
  /// @param terms number of terms of the query
  SpokenWords(int[] docs, int terms) {
    this.docs = docs;
    this.counts = new float[terms];
  }

  /// Adds a turn that was read for itself, if somebody said it.
  void add(CandidateTurn turn) {
    if (turn.traits.isSpoken()) {
      for (int t = 0; t < counts.length; t++) {
        counts[t] += turn.counts[t];
      }
      length += turn.length;
    }
  }

  /// How often each term of the query was said.
  float[] counts() {
    return counts;
  }

  /// Number of terms that were said; the index keeps lengths rounded.
  double length() {
    return length;
  }

  /// Reads the turns of several sessions that are still to be read; nothing for a query without
  /// terms.
  static void read(IndexSearcher searcher, List<String> terms, List<SpokenWords> sessions)
      throws IOException {
    if (terms.isEmpty()) {
      return;
    }
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Turns turns = Turns.of(leaf, sessions);
      if (turns.size > 0) {
        read(leaf.reader(), terms, turns);
      }
    }
  }

  private static void read(LeafReader reader, List<String> terms, Turns turns) throws IOException {
    turns.keepSpoken(reader);
    for (int t = 0; t < terms.size(); t++) {
      PostingsEnum said = reader.postings(new Term(Fields.WORDS, terms.get(t)), PostingsEnum.FREQS);
      if (said != null) {
        turns.count(said, t);
      }
    }
  }

  /// The turns of several sessions that are in one leaf.
  private static final class Turns {

    /// Numbers in the leaf, ascending.
    private final int[] docs;

    private final SpokenWords[] sessions;
    private int size;

    private Turns(int[] docs, SpokenWords[] sessions) {
      this.docs = docs;
      this.sessions = sessions;
      this.size = docs.length;
    }

    static Turns of(LeafReaderContext leaf, List<SpokenWords> sessions) {
      int base = leaf.docBase;
      int end = base + leaf.reader().maxDoc();
      // The number in the leaf and that of the session, so that one sort orders both.
      long[] both =
          IntStream.range(0, sessions.size())
              .boxed()
              .flatMapToLong(s -> {
                int[] docs = sessions.get(s).docs;
                return Arrays.stream(docs, firstFrom(base, docs), firstFrom(end, docs))
                    .mapToLong(doc -> (long) (doc - base) << Integer.SIZE | s);
              })
              .sorted()
              .toArray();
      return new Turns(
          Arrays.stream(both).mapToInt(one -> (int) (one >>> Integer.SIZE)).toArray(),
          Arrays.stream(both).mapToObj(one -> sessions.get((int) one)).toArray(SpokenWords[]::new));
    }

    /// Where the documents from this number on begin.
    private static int firstFrom(int doc, int[] docs) {
      int found = Arrays.binarySearch(docs, doc);
      return found < 0 ? -found - 1 : found;
    }

    /// Leaves out what nobody said, and adds up the lengths.
    void keepSpoken(LeafReader reader) throws IOException {
      NumericDocValues traits = DocValues.getNumeric(reader, Fields.TRAITS);
      NumericDocValues norms = reader.getNormValues(Fields.WORDS);
      int kept = 0;
      for (int i = 0; i < size; i++) {
        if (traits.advanceExact(docs[i]) && Traits.of(traits.longValue()).isSpoken()) {
          docs[kept] = docs[i];
          sessions[kept] = sessions[i];
          if (norms != null && norms.advanceExact(docs[kept])) {
            sessions[kept].length += SmallFloat.byte4ToInt((byte) norms.longValue());
          }
          kept++;
        }
      }
      size = kept;
    }

    /// Adds how often a term is in each turn. The iterator skips to the next turn, and the search
    /// in the turns to the next document, so the cost is that of the shorter list.
    void count(PostingsEnum said, int term) throws IOException {
      int i = 0;
      for (int doc = said.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS && i < size; ) {
        int found = Arrays.binarySearch(docs, i, size, doc);
        if (found >= 0) {
          sessions[found].counts[term] += said.freq();
          i = found + 1;
        } else {
          i = -found - 1;
        }
        if (i < size) {
          doc = said.advance(docs[i]);
        }
      }
    }
  }
}
