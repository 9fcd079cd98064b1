package dev.agentmemory.search.internal.rank;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// The turns of one leaf of the index, in the order of their documents.
record LeafTurns(LeafReaderContext leaf, List<CandidateTurn> turns) {

  /// Reads something of a turn.
  interface Visitor {
    void visit(CandidateTurn turn) throws IOException;
  }

  static List<LeafTurns> of(IndexSearcher searcher, List<CandidateTurn> turns) {
    List<CandidateTurn> sorted =
        turns.stream().sorted(Comparator.comparingInt(turn -> turn.doc)).toList();
    List<LeafTurns> found = new ArrayList<>();
    int from = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      int end = leaf.docBase + leaf.reader().maxDoc();
      int to = from;
      while (to < sorted.size() && sorted.get(to).doc < end) {
        to++;
      }
      if (to > from) {
        found.add(new LeafTurns(leaf, sorted.subList(from, to)));
      }
      from = to;
    }
    return found;
  }

  /// Visits those turns that an iterator over documents of the leaf has.
  ///
  /// @param docs not advanced yet; null has no documents
  void visit(@Nullable DocIdSetIterator docs, Visitor visitor) throws IOException {
    if (docs == null) {
      return;
    }
    for (CandidateTurn turn : turns) {
      int doc = turn.doc - leaf.docBase;
      if ((docs.docID() < doc ? docs.advance(doc) : docs.docID()) == doc) {
        visitor.visit(turn);
      }
    }
  }
}
