package dev.agentmemory.search.internal.index;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.SmallFloat;

/// Scores by the documents of one workspace, in an index that several share. By those of all, the
/// scores and the order of a workspace's hits would tell which words its neighbours use.
///
/// Counting takes about as long as the query itself. For one thread, and one reading.
public final class OwnStatistics extends IndexSearcher {

  private final Term owner;
  private final Map<String, CollectionStatistics> known = new HashMap<>();

  /// @param all searches the whole index
  OwnStatistics(IndexSearcher all, WorkspaceName owner) {
    super(all.getIndexReader());
    this.owner = new Term(Fields.OWNER, owner.value());
    setSimilarity(all.getSimilarity());
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics counted = known.get(field);
    if (counted == null) {
      counted = counted(field);
      known.put(field, counted);
    }
    return counted;
  }

  /// Lucene does not accept that there is nothing, which matters to no hit.
  private CollectionStatistics counted(String field) throws IOException {
    long documents = 0;
    long terms = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      PostingsEnum owned = leaf.reader().postings(owner, PostingsEnum.NONE);
      NumericDocValues lengths = leaf.reader().getNormValues(field);
      Bits live = leaf.reader().getLiveDocs();
      if (owned == null || lengths == null) {
        continue;
      }
      for (int doc = owned.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = owned.nextDoc()) {
        if ((live == null || live.get(doc)) && lengths.advanceExact(doc)) {
          documents++;
          terms += SmallFloat.byte4ToInt((byte) lengths.longValue());
        }
      }
    }
    long atLeast = Math.max(1, documents);
    return new CollectionStatistics(
        field, Math.max(1, getIndexReader().maxDoc()), atLeast, Math.max(atLeast, terms), atLeast);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    int own = Math.max(1, count(owned(new TermQuery(term))));
    return new TermStatistics(term.bytes(), own, /* totalTermFreq= */ own);
  }

  private Query owned(Query query) {
    return new BooleanQuery.Builder()
        .add(query, BooleanClause.Occur.FILTER)
        .add(new TermQuery(owner), BooleanClause.Occur.FILTER)
        .build();
  }

  /// The number of documents with a term, by which a searcher scores.
  public static int having(IndexSearcher searcher, Term term) throws IOException {
    return searcher instanceof OwnStatistics
        ? count(searcher, new TermQuery(term))
        : searcher.getIndexReader().docFreq(term);
  }

  /// The number of documents that match a query, by which a searcher scores.
  static int count(IndexSearcher searcher, Query query) throws IOException {
    return searcher.count(searcher instanceof OwnStatistics own ? own.owned(query) : query);
  }
}
