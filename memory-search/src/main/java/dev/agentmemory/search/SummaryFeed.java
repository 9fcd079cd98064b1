package dev.agentmemory.search;

import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
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
/// lately first, then all in a round, some at a time. After something may have changed, rounds go
/// on until a whole one has changed nothing. Segments that were retired go out with their day.
final class SummaryFeed {

  /// Days that are looked at first.
  private static final int DAYS = 16;

  /// Nodes that are compared under one hold of the index's lock.
  private static final int STEP = 100;

  private final Sources sources;
  private final TocReader toc;
  private final Set<NodeId> days = new LinkedHashSet<>();
  private final Map<TocLevel, NodeId> reached = new EnumMap<>(TocLevel.class);

  /// Levels that this round has not come to the end of.
  private final Set<TocLevel> left = EnumSet.allOf(TocLevel.class);

  private boolean due = true;
  private boolean daysDue;

  /// Whether this round has begun after the last change and has found nothing to do so far.
  private boolean clean;

  SummaryFeed(Sources sources) {
    this.sources = sources;
    this.toc = sources.toc();
  }

  /// Something compared and written under the lock of the index.
  interface Step {
    int run(Generation generation, IndexSearcher searcher) throws IOException;
  }

  /// An event was added: what its day says will change.
  synchronized void touch(Event event) {
    NodeId plain = NodeId.day(event.timestamp().atZone(sources.zone()).toLocalDate());
    NodeId day = event.id().workspace().map(plain::in).orElse(plain);
    days.remove(day);
    days.add(day);
    if (days.size() > DAYS) {
      days.remove(days.iterator().next());
    }
  }

  /// Nodes may have changed.
  synchronized void changed() {
    due = true;
    daysDue = true;
    clean = false;
  }

  /// Whether there is something to compare, as far as it knows.
  synchronized boolean isDue() {
    return due;
  }

  /// Whether the round has come to its end.
  synchronized boolean isRound() {
    return left.isEmpty();
  }

  /// @param limit nodes of each level to look at beyond those of the days
  synchronized List<Step> steps(int limit) {
    Set<NodeId> ids = new LinkedHashSet<>();
    if (daysDue) {
      daysDue = false;
      for (NodeId day : days) {
        ids.addAll(above(day));
        readable(day).ifPresent(node -> ids.addAll(node.children()));
      }
    }
    if (left.isEmpty()) {
      left.addAll(EnumSet.allOf(TocLevel.class));
      reached.clear();
    }
    for (TocLevel level : List.copyOf(left)) {
      List<NodeId> next = toc.nodeIds(level, Optional.ofNullable(reached.get(level)), limit);
      ids.addAll(next);
      if (next.size() < limit) {
        left.remove(level);
      } else {
        reached.put(level, next.getLast());
      }
    }
    List<NodeId> all = List.copyOf(ids);
    List<Step> steps = new ArrayList<>();
    for (int from = 0; from < all.size(); from += STEP) {
      steps.add(comparing(all.subList(from, Math.min(all.size(), from + STEP))));
    }
    return steps;
  }

  /// The last steps were made.
  ///
  /// @param written how many documents they have changed
  synchronized void made(int written) {
    clean &= written == 0;
    if (left.isEmpty()) {
      due = !clean;
      clean = true;
    }
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

  /// Empty also for a node that is damaged: it must not hold up the others.
  private Optional<TocNode> readable(NodeId id) {
    try {
      return toc.node(id);
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.CORRUPT_RECORD) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private int compare(Generation generation, IndexSearcher searcher, NodeId id) throws IOException {
    Optional<TocNode> node = readable(id);
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
    try {
      return sources
          .segments()
          .segment(new SegmentId(new EventId(id.substring(id.lastIndexOf(':') + 1))))
          .map(Segment::session);
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.CORRUPT_RECORD) {
        return Optional.empty();
      }
      throw e;
    }
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

  private static List<NodeId> above(NodeId day) {
    LocalDate date = LocalDate.parse(day.plain().value().substring("toc:day:".length()));
    return above(date).stream().map(id -> day.workspace().map(id::in).orElse(id)).toList();
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
