package dev.agentmemory.search;

import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// Keeps documents of nodes in line with the table of contents. The outbox tells of events only, so
/// nodes are compared with what their documents were made from: those of days that had events
/// lately at every turn, all others in rounds, some at a time. Nodes that were retired go out when
/// their day or their round comes.
final class SummaryFeed {

  /// Days that are looked at every time.
  private static final int DAYS = 16;

  /// Nodes that are compared under one hold of the index's lock.
  private static final int STEP = 100;

  private final Sources sources;
  private final TocReader toc;
  private final Set<LocalDate> days = new LinkedHashSet<>();
  private final Map<TocLevel, NodeId> reached = new EnumMap<>(TocLevel.class);

  SummaryFeed(Sources sources) {
    this.sources = sources;
    this.toc = sources.toc();
  }

  /// Something compared and written under the lock of the index.
  interface Step {
    int run(Generation generation, IndexSearcher searcher) throws IOException;
  }

  /// An event of that time was added.
  synchronized void touch(Instant time) {
    LocalDate day = time.atZone(sources.zone()).toLocalDate();
    days.remove(day);
    days.add(day);
    if (days.size() > DAYS) {
      days.remove(days.iterator().next());
    }
  }

  /// Begins the round anew.
  synchronized void forget() {
    reached.clear();
  }

  /// @param limit nodes of each level to look at beyond those of the days
  synchronized List<Step> steps(int limit) {
    Set<NodeId> ids = new LinkedHashSet<>();
    for (LocalDate day : days) {
      ids.addAll(above(day));
      toc.node(NodeId.day(day)).ifPresent(node -> ids.addAll(node.children()));
    }
    for (TocLevel level : TocLevel.values()) {
      Optional<NodeId> after = Optional.ofNullable(reached.get(level));
      List<NodeId> next = toc.nodeIds(level, after, limit);
      if (next.isEmpty()) {
        reached.remove(level);
      } else {
        reached.put(level, next.getLast());
        ids.addAll(next);
      }
    }
    List<NodeId> all = List.copyOf(ids);
    List<Step> steps = new ArrayList<>();
    for (int from = 0; from < all.size(); from += STEP) {
      steps.add(comparing(all.subList(from, Math.min(all.size(), from + STEP))));
    }
    return steps;
  }

  private Step comparing(List<NodeId> ids) {
    return (generation, searcher) -> {
      Set<NodeId> all = new LinkedHashSet<>(ids);
      for (NodeId id : ids) {
        if (id.level() == TocLevel.DAY) {
          all.addAll(indexedOf(searcher, id));
        }
      }
      int written = 0;
      for (NodeId id : all) {
        written += compare(generation, searcher, id);
      }
      return written;
    };
  }

  private int compare(Generation generation, IndexSearcher searcher, NodeId id) throws IOException {
    Optional<TocNode> node = toc.node(id);
    Optional<Long> indexed = indexed(searcher, id.value());
    if (node.isEmpty()) {
      if (indexed.isPresent()) {
        generation.delete(EventDocuments.term(id.value()));
      }
      return indexed.isPresent() ? 1 : 0;
    }
    if (indexed.isPresent() && indexed.get() == NodeDocuments.fingerprint(node.get())) {
      return 0;
    }
    generation.put(
        EventDocuments.term(id.value()), NodeDocuments.of(node.get(), session(node.get())));
    return 1;
  }

  private Optional<SessionId> session(TocNode node) {
    if (node.level() != TocLevel.SEGMENT) {
      return Optional.empty();
    }
    String id = node.id().value();
    return sources
        .segments()
        .segment(new SegmentId(new EventId(id.substring(id.lastIndexOf(':') + 1))))
        .map(Segment::session);
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

  private static Optional<Long> indexed(IndexSearcher searcher, String uid) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      PostingsEnum docs = leaf.reader().postings(new Term(Fields.UID, uid));
      Bits live = leaf.reader().getLiveDocs();
      while (docs != null && docs.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        NumericDocValues versions = DocValues.getNumeric(leaf.reader(), Fields.VERSION);
        if ((live == null || live.get(docs.docID())) && versions.advanceExact(docs.docID())) {
          return Optional.of(versions.longValue());
        }
      }
    }
    return Optional.empty();
  }

  /// A day and the periods that hold it, from the year down. A week belongs to the month and year
  /// of its Thursday.
  static List<NodeId> above(LocalDate day) {
    LocalDate thursday =
        day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
            .with(TemporalAdjusters.nextOrSame(DayOfWeek.THURSDAY));
    return List.of(
        NodeId.year(thursday.getYear()),
        NodeId.month(YearMonth.from(thursday)),
        NodeId.week(day.get(IsoFields.WEEK_BASED_YEAR), day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
        NodeId.day(day));
  }
}
