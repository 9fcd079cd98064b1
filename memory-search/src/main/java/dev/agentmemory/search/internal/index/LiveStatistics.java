package dev.agentmemory.search.internal.index;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/// Scores by the documents that are there. Lucene counts deleted ones until a merge removes them,
/// so equal contents could have another order after a merge or a rebuild.
///
/// The average length is a constant for the same reason. Counting takes as long as the query
/// itself, which is right for an index of some ten thousand documents.
final class LiveStatistics extends IndexSearcher {

  /// Words of a usual memory: one or two sentences.
  private static final int WORDS = 24;

  private LiveStatistics(IndexReader reader) {
    super(reader);
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics all = super.collectionStatistics(field);
    if (all == null) {
      return null;
    }
    int documents = Math.max(1, getIndexReader().numDocs());
    long words = (long) documents * WORDS;
    return new CollectionStatistics(field, documents, documents, words, words);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    long live = Math.max(1, getIndexReader().hasDeletions() ? live(term) : docFreq);
    return new TermStatistics(term.bytes(), live, /* totalTermFreq= */ live);
  }

  private long live(Term term) throws IOException {
    long count = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      PostingsEnum postings = leaf.reader().postings(term, PostingsEnum.NONE);
      Bits live = leaf.reader().getLiveDocs();
      if (postings != null) {
        for (int doc = postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          if (live == null || live.get(doc)) {
            count++;
          }
        }
      }
    }
    return count;
  }

  /// Makes the searchers of a generation.
  static final class Factory extends SearcherFactory {

    @Override
    public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
      return new LiveStatistics(reader);
    }
  }
}
