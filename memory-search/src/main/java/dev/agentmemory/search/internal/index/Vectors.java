package dev.agentmemory.search.internal.index;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.Bits;

/// Which events have vectors, and which ones.
public final class Vectors {

  private static final Sort LATEST =
      new Sort(new SortField(Fields.TIME, SortField.Type.LONG, true));

  /// A share that needs no mention: the latest events are always about to get their vectors.
  public static final double NEARLY_ALL = 0.95;

  private Vectors() {}

  /// Events with text that have no vector in a field, the latest first.
  public static List<EventKey> missing(IndexSearcher searcher, String field, int limit)
      throws IOException {
    Query query =
        new BooleanQuery.Builder()
            .add(
                new TermQuery(new Term(Fields.SPOKEN, EventDocuments.SPOKEN)),
                BooleanClause.Occur.FILTER)
            .add(new FieldExistsQuery(field), BooleanClause.Occur.MUST_NOT)
            .build();
    List<EventKey> keys = new ArrayList<>();
    for (ScoreDoc hit : searcher.search(query, limit, LATEST).scoreDocs) {
      keys.add(key(searcher.getIndexReader(), hit.doc));
    }
    return keys;
  }

  /// How many events have text.
  static int spoken(IndexSearcher searcher) throws IOException {
    return OwnStatistics.count(
        searcher, new TermQuery(new Term(Fields.SPOKEN, EventDocuments.SPOKEN)));
  }

  /// How many events have a vector in a field.
  static int count(IndexSearcher searcher, String field) throws IOException {
    return OwnStatistics.count(searcher, new FieldExistsQuery(field));
  }

  /// The latest event.
  static Optional<EventId> latest(IndexSearcher searcher) throws IOException {
    Query events = new TermQuery(new Term(Fields.KIND, EventDocuments.KIND));
    ScoreDoc[] last = searcher.search(events, 1, LATEST).scoreDocs;
    return last.length == 0
        ? Optional.empty()
        : Optional.of(key(searcher.getIndexReader(), last[0].doc).id());
  }

  /// When a document is of, and what it is of.
  public record Place(long time, String uid) {}

  private static EventKey key(IndexReader reader, int doc) throws IOException {
    Place place = place(reader, doc);
    return EventDocuments.key(place.time(), place.uid());
  }

  private static LeafReaderContext leaf(IndexReader reader, int doc) {
    return reader.leaves().get(ReaderUtil.subIndex(doc, reader.leaves()));
  }

  public static Place place(IndexReader reader, int doc) throws IOException {
    LeafReaderContext leaf = leaf(reader, doc);
    NumericDocValues times = DocValues.getNumeric(leaf.reader(), Fields.TIME);
    BinaryDocValues ids = DocValues.getBinary(leaf.reader(), Fields.UID);
    if (!times.advanceExact(doc - leaf.docBase) || !ids.advanceExact(doc - leaf.docBase)) {
      throw new AssertionError("a document without time or id: " + doc);
    }
    return new Place(times.longValue(), ids.binaryValue().utf8ToString());
  }

  /// The vector that a document has in a field.
  public static Optional<float[]> of(IndexReader reader, String field, int doc) throws IOException {
    LeafReaderContext leaf = leaf(reader, doc);
    return of(leaf, field, doc - leaf.docBase);
  }

  private static Optional<float[]> of(LeafReaderContext leaf, String field, int doc)
      throws IOException {
    FloatVectorValues values = leaf.reader().getFloatVectorValues(field);
    if (values == null) {
      return Optional.empty();
    }
    KnnVectorValues.DocIndexIterator at = values.iterator();
    return at.advance(doc) == doc
        ? Optional.of(values.vectorValue(at.index()).clone())
        : Optional.empty();
  }

  /// The vectors of those events that have one.
  public static Map<String, EventDocuments.Vector> of(
      IndexSearcher searcher, Collection<String> uids) throws IOException {
    return of(searcher, uids, (_, _, _) -> true);
  }

  /// The vectors of those events that have one of the text that they have now: secrets in it may
  /// have been masked since it was embedded.
  ///
  /// @param texts fingerprints of the texts, by the ids of the events
  public static Map<String, EventDocuments.Vector> ofTexts(
      IndexSearcher searcher, Map<String, Long> texts) throws IOException {
    return of(
        searcher,
        texts.keySet(),
        (leaf, doc, uid) -> {
          NumericDocValues indexed = DocValues.getNumeric(leaf.reader(), Fields.TEXT);
          return indexed.advanceExact(doc)
              && Long.valueOf(indexed.longValue()).equals(texts.get(uid));
        });
  }

  /// Whether the vector of a document is wanted.
  private interface Wanted {

    boolean test(LeafReaderContext leaf, int doc, String uid) throws IOException;
  }

  private static Map<String, EventDocuments.Vector> of(
      IndexSearcher searcher, Collection<String> uids, Wanted wanted) throws IOException {
    Map<String, EventDocuments.Vector> found = new HashMap<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      for (FieldInfo info : leaf.reader().getFieldInfos()) {
        if (info.hasVectorValues()) {
          read(leaf, info.name, uids, wanted, found);
        }
      }
    }
    return found;
  }

  private static void read(
      LeafReaderContext leaf,
      String field,
      Collection<String> uids,
      Wanted wanted,
      Map<String, EventDocuments.Vector> found)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    for (String uid : uids) {
      PostingsEnum docs = leaf.reader().postings(EventDocuments.term(uid));
      int doc = docs == null ? DocIdSetIterator.NO_MORE_DOCS : docs.nextDoc();
      while (doc != DocIdSetIterator.NO_MORE_DOCS && live != null && !live.get(doc)) {
        doc = docs.nextDoc();
      }
      if (doc != DocIdSetIterator.NO_MORE_DOCS && wanted.test(leaf, doc, uid)) {
        of(leaf, field, doc)
            .ifPresent(vector -> found.put(uid, new EventDocuments.Vector(field, vector)));
      }
    }
  }
}
