package dev.agentmemory.search.internal.rank;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
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
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    return turns.stream()
        .sorted(Comparator.comparingInt(turn -> turn.doc))
        .collect(Collectors.groupingBy(turn -> ReaderUtil.subIndex(turn.doc, leaves)))
        .entrySet()
        .stream()
        .map(here -> new LeafTurns(leaves.get(here.getKey()), here.getValue()))
        .toList();
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
