package dev.agentmemory.search;

import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// Keeps the documents of nodes consistent with the table of contents. Writers report the nodes
/// that they change. Unreported changes, such as those from before the index was opened, are found
/// by a round that compares all nodes with the versions in their documents, some at a time.
/// Segments that were retired meanwhile are deleted with their day.
final class SummaryFeed {

  /// Nodes that may wait to be followed. More of them, and a round is due instead.
  private static final int MOST_NEWS = 10_000;

  /// Nodes that are followed under one hold of the index's lock.
  private static final int STEP = 100;

  private final Sources sources;
  private final TocReader toc;

  /// Nodes that were written and are not followed yet.
  private final Set<NodeId> news = new LinkedHashSet<>();

  private final Map<TocLevel, NodeId> reached = new EnumMap<>(TocLevel.class);

  /// Levels that the round has not come to the end of; none when there is no round.
  private final Set<TocLevel> left = EnumSet.allOf(TocLevel.class);

  SummaryFeed(Sources sources) {
    this.sources = sources;
    this.toc = sources.toc();
  }

  /// These nodes were written or retired.
  synchronized void changed(Collection<NodeId> nodes) {
    news.addAll(nodes);
    if (news.size() > MOST_NEWS) {
      news.clear();
      allChanged();
    }
  }

  /// The changed nodes are unknown: starts a round, or restarts the current one.
  synchronized void allChanged() {
    left.addAll(EnumSet.allOf(TocLevel.class));
    reached.clear();
  }

  /// Whether there is something to follow, as far as it knows.
  synchronized boolean isDue() {
    return !news.isEmpty() || isRound();
  }

  /// Whether a round goes on. Its steps compare with what is visible.
  synchronized boolean isRound() {
    return !left.isEmpty();
  }

  /// The next work; a caller that does not do all of it must call [#allChanged].
  ///
  /// @param limit nodes of each level to look at in a round, and nodes that were written
  synchronized List<ToIntFunction<Generation>> steps(int limit) {
    List<ToIntFunction<Generation>> steps = new ArrayList<>();
    List<NodeId> written = news.stream().limit(limit).toList();
    written.forEach(news::remove);
    inSteps(written, ids -> steps.add(generation -> follow(generation, ids)));
    inSteps(nextOfRound(limit), ids -> steps.add(generation -> compare(generation, ids)));
    return steps;
  }

  private List<NodeId> nextOfRound(int limit) {
    List<NodeId> ids = new ArrayList<>();
    for (TocLevel level : List.copyOf(left)) {
      List<NodeId> next = toc.nodeIds(level, Optional.ofNullable(reached.get(level)), limit);
      ids.addAll(next);
      if (next.size() < limit) {
        left.remove(level);
      } else {
        reached.put(level, next.getLast());
      }
    }
    return ids;
  }

  private static void inSteps(List<NodeId> ids, Consumer<List<NodeId>> step) {
    for (int from = 0; from < ids.size(); from += STEP) {
      step.accept(ids.subList(from, Math.min(ids.size(), from + STEP)));
    }
  }

  private int follow(Generation generation, List<NodeId> ids) {
    for (NodeId id : ids) {
      Optional<TocNode> node = readable(() -> toc.node(id));
      if (node.isPresent()) {
        put(generation, node.get());
      } else {
        generation.delete(id.value());
      }
    }
    return ids.size();
  }

  private int compare(Generation generation, List<NodeId> ids) {
    return generation.read(searcher -> {
      Set<NodeId> all = new LinkedHashSet<>(ids);
      for (NodeId id : ids) {
        if (id.level() == TocLevel.DAY) {
          all.addAll(indexedOf(searcher, id));
        }
      }
      Map<String, Long> versions = indexed(searcher, all);
      int written = 0;
      for (NodeId id : all) {
        written += compare(generation, id, versions);
      }
      return written;
    });
  }

  /// Empty also for what is damaged: it must not hold up the others.
  private static <T> Optional<T> readable(Supplier<Optional<T>> read) {
    try {
      return read.get();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private int compare(Generation generation, NodeId id, Map<String, Long> versions) {
    Optional<TocNode> node = readable(() -> toc.node(id));
    Optional<Long> indexed = Optional.ofNullable(versions.get(id.value()));
    if (node.isEmpty()) {
      if (indexed.isPresent()) {
        generation.delete(id.value());
      }
      return indexed.isPresent() ? 1 : 0;
    }
    if (indexed.isPresent() && indexed.get() == NodeDocuments.fingerprint(node.get())) {
      return 0;
    }
    put(generation, node.get());
    return 1;
  }

  private void put(Generation generation, TocNode node) {
    generation.put(node.id().value(), NodeDocuments.of(node, session(node)));
  }

  private Optional<SessionId> session(TocNode node) {
    return node.level() == TocLevel.SEGMENT
        ? readable(() -> sources.segments().segment(SegmentId.of(node.id())).map(Segment::session))
        : Optional.empty();
  }

  /// Segments of a day that have documents: some may be retired.
  private static List<NodeId> indexedOf(IndexSearcher searcher, NodeId day) throws IOException {
    BytesRef prefix = new BytesRef(day.plain().value().replace("toc:day:", "toc:segment:") + ":");
    List<NodeId> found = new ArrayList<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Terms terms = leaf.reader().terms(Fields.UID);
      TermsEnum at = terms == null ? TermsEnum.EMPTY : terms.iterator();
      for (boolean more = at.seekCeil(prefix) != TermsEnum.SeekStatus.END;
          more && StringHelper.startsWith(at.term(), prefix);
          more = at.next() != null) {
        NodeId.parse(at.term().utf8ToString()).ifPresent(found::add);
      }
    }
    return found;
  }

  /// The versions of the documents of nodes, by uid. Terms and documents are both visited in their
  /// order, so that the readers of a leaf are opened once.
  private static Map<String, Long> indexed(IndexSearcher searcher, Collection<NodeId> ids)
      throws IOException {
    List<BytesRef> uids = ids.stream().map(id -> new BytesRef(id.value())).sorted().toList();
    Map<String, Long> versions = new HashMap<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      SortedMap<Integer, String> found = documents(leaf.reader(), uids);
      NumericDocValues values = DocValues.getNumeric(leaf.reader(), Fields.VERSION);
      for (Map.Entry<Integer, String> document : found.entrySet()) {
        if (values.advanceExact(document.getKey())) {
          versions.putIfAbsent(document.getValue(), values.longValue());
        }
      }
    }
    return versions;
  }

  private static SortedMap<Integer, String> documents(LeafReader leaf, List<BytesRef> uids)
      throws IOException {
    SortedMap<Integer, String> found = new TreeMap<>();
    Terms terms = leaf.terms(Fields.UID);
    TermsEnum at = terms == null ? TermsEnum.EMPTY : terms.iterator();
    Bits live = leaf.getLiveDocs();
    for (BytesRef uid : uids) {
      if (at.seekExact(uid)) {
        PostingsEnum docs = at.postings(null, PostingsEnum.NONE);
        while (docs.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          if (live == null || live.get(docs.docID())) {
            found.put(docs.docID(), uid.utf8ToString());
          }
        }
      }
    }
    return found;
  }
}
