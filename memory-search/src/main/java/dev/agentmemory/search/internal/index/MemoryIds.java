package dev.agentmemory.search.internal.index;

import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;

/// The ids of the documents of an index of curated memories. They are read once for each segment of
/// the index, as a segment never changes. Any thread may ask.
public final class MemoryIds {

  private final Map<IndexReader.CacheKey, MemoryId[]> bySegment = new ConcurrentHashMap<>();

  /// The id of a document.
  public MemoryId of(IndexReader reader, int doc) throws IOException {
    List<LeafReaderContext> leaves = reader.leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    return segment(leaf.reader())[doc - leaf.docBase];
  }

  private MemoryId[] segment(LeafReader segment) throws IOException {
    IndexReader.CacheHelper cache = segment.getCoreCacheHelper();
    MemoryId[] known = bySegment.get(cache.getKey());
    if (known == null) {
      known = read(segment);
      if (bySegment.put(cache.getKey(), known) == null) {
        cache.addClosedListener(bySegment::remove);
      }
    }
    return known;
  }

  private static MemoryId[] read(LeafReader segment) throws IOException {
    var ids = new MemoryId[segment.maxDoc()];
    BinaryDocValues values = DocValues.getBinary(segment, Fields.UID);
    for (int doc = 0; doc < ids.length; doc++) {
      if (!values.advanceExact(doc)) {
        throw new AssertionError("a document without id: " + doc);
      }
      ids[doc] = MemoryId.of(values.binaryValue().utf8ToString());
    }
    return ids;
  }
}
