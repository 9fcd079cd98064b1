package dev.agentmemory.toc;

import dev.agentmemory.toc.SegmentComposer.Composed;
import dev.agentmemory.toc.internal.segment.EventSizer;
import dev.agentmemory.toc.internal.segment.EventSource;
import dev.agentmemory.toc.internal.segment.SegmentReconciler;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.toc.navigate.ChildPlace;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.summary.Fingerprint;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Writes segments and their nodes into a draft: summary, grips, links up to the year, dirty marks.
/// The periods' own words are left to the rollups.
public final class TocBuilder {

  private final TocWriter writer;
  private final Summarizer summarizer;
  private final ParallelMapper mapper;
  private final EventSizer sizer;
  private final TocCalendar calendar;
  private final EventSource source;
  private final SegmentComposer composer;
  private final LongAdder unsupported = new LongAdder();

  /// When events came to open segments whose digests wait.
  private final Map<NodeId, Instant> changes = new ConcurrentHashMap<>();

  /// @param mapper summarises segments side by side
  public TocBuilder(
      TocWriter writer,
      Summarizer summarizer,
      TokenCounter tokens,
      SegmentationConfig config,
      ParallelMapper mapper) {
    this.writer = writer;
    this.summarizer = summarizer;
    this.mapper = mapper;
    this.sizer = new EventSizer(tokens, config);
    this.calendar = new TocCalendar(writer.store().zone());
    this.source = new EventSource(writer.store().events(), sizer);
    this.composer = new SegmentComposer(writer.clock(), summarizer, source, calendar);
  }

  /// Points that were left out since the start because no event supports them.
  public long unsupportedBullets() {
    return unsupported.sum();
  }

  /// What segmentation needs to know of events.
  List<SegmentEntry> entries(List<Event> events) {
    return mapper.map(events, sizer::entry);
  }

  /// The same of events that are stored, however large; those that are absent are left out.
  List<SegmentEntry> storedEntries(List<EventKey> keys) {
    return source.map(keys, this::entries);
  }

  /// The event as a summariser sees it.
  Event cut(Event event) {
    return sizer.cut(event);
  }

  TocCalendar calendar() {
    return calendar;
  }

  /// Brings the table of contents in line with a session's new cut.
  ///
  /// @param known events that were read, already truncated; others are read from the store
  void apply(
      TocTransaction draft,
      List<SegmentReconciler.SegmentDelta> recuts,
      Map<EventKey, Event> known) {
    List<Segment> changed = new ArrayList<>();
    for (SegmentReconciler.SegmentDelta recut : recuts) {
      recut.vanished().forEach(gone -> remove(draft, gone));
      recut.changed().stream()
          .filter(segment -> !awaitDigest(draft, segment))
          .filter(segment -> !finish(draft, segment))
          .forEach(changed::add);
    }
    write(draft, changed, known);
  }

  /// Writes an open segment whose node is there: its words follow once it rests or closes
  /// ([OpenDigests]); a read that comes earlier composes them ([CurrentContents]).
  ///
  /// @return false when it is not open or has no node yet
  private boolean awaitDigest(TocTransaction draft, Segment segment) {
    if (segment.boundary() != Boundary.OPEN
        || draft.node(segment.node()).filter(node -> node.edition().provisional()).isEmpty()) {
      return false;
    }
    draft.put(segment);
    draft.markDirty(segment.node());
    changes.put(segment.node(), writer.clock().instant());
    return true;
  }

  /// When an open segment will have got no event for a time, if none comes. One that has got none
  /// since the start rests already.
  Instant restsAt(NodeId node, Duration rest) {
    Instant changed = changes.get(node);
    // The clock may have been set back.
    return changed == null || changed.isAfter(writer.clock().instant())
        ? Instant.EPOCH
        : changed.plus(rest);
  }

  /// Removes a segment, its node and the periods that hold nothing else.
  void remove(TocTransaction draft, Segment segment) {
    draft.drop(segment);
    changes.remove(segment.node());
    unlink(draft, segment.node());
  }

  /// Writes segments and what they say, whatever is stored.
  void write(TocTransaction draft, List<Segment> segments, Map<EventKey, Event> known) {
    // The mapper's threads must not touch the transaction.
    Map<NodeId, TocNode> before = new HashMap<>();
    for (Segment segment : segments) {
      draft.node(segment.node()).ifPresent(node -> before.put(node.id(), node));
    }
    List<Composed> all =
        mapper.map(
            segments,
            one -> composer.compose(one, known, Optional.ofNullable(before.get(one.node()))));
    for (Composed composed : all) {
      draft.put(composed.segment());
      put(draft, composed);
      link(draft, composed.node().id());
    }
  }

  private void put(TocTransaction draft, Composed composed) {
    composed.grips().forEach(draft::put);
    draft.put(composed.node());
    draft.settleDigest(composed.node().id());
    changes.remove(composed.node().id());
    unsupported.add(composed.unsupported());
    markDayDirty(draft, composed.segment());
  }

  /// What an open segment says now, with the grips that prove it; nothing is stored.
  ///
  /// @param before its node as it is stored
  Composed current(Segment segment, TocNode before) {
    return composer.compose(segment, Map.of(), Optional.of(before));
  }

  /// What a summariser gets to read of a segment.
  SegmentText passage(Segment segment) {
    return composer.passage(segment, Map.of());
  }

  /// Replaces the summary of a segment by a model's.
  ///
  /// @param passage what the model read
  /// @param model its name
  /// @return false when nothing of it could be proven, so the old summary stays
  boolean replaceSummary(
      TocTransaction draft, Segment segment, SegmentText passage, Summary summary, String model) {
    Composed composed =
        composer.compose(segment, passage, summary, model, Optional.of(Fingerprint.of(passage)));
    if (composed.node().bullets().isEmpty()) {
      return false;
    }
    put(draft, composed);
    return true;
  }

  /// Adds to the points that were left out because no event supports them.
  void addUnsupported(int points) {
    unsupported.add(points);
  }

  /// Writes a segment of which only the boundary is new: its words stay as they are.
  ///
  /// @return false when there is more to it
  private boolean finish(TocTransaction draft, Segment segment) {
    Optional<Segment> before = writer.store().segments().segment(segment.id());
    Optional<TocNode> node = draft.node(segment.node());
    if (node.isEmpty()
        || before.isEmpty()
        || !readsTheSame(before.get(), segment)
        || writer.store().toc().isDirty(segment.node())) {
      return false;
    }
    draft.put(segment);
    finish(draft, segment, node.get());
    return true;
  }

  /// Marks a node final, or open again, whose words stay as they are.
  void finish(TocTransaction draft, Segment segment, TocNode node) {
    boolean open = segment.boundary() == Boundary.OPEN;
    draft.put(node.withEdition(node.edition().withProvisional(open)));
    markDayDirty(draft, segment);
  }

  private static void markDayDirty(TocTransaction draft, Segment segment) {
    draft.markDirty(TocCalendar.ancestors(segment.node()).getFirst());
  }

  private static boolean readsTheSame(Segment before, Segment now) {
    return before.entries().equals(now.entries()) && before.overlap().equals(now.overlap());
  }

  /// Makes the periods above a node exist and name it. Once a parent exists, all above it do.
  private void link(TocTransaction draft, NodeId node) {
    NodeId child = node;
    for (NodeId parent : TocCalendar.ancestors(node)) {
      Optional<TocNode> before = draft.node(parent);
      if (before.isPresent() && before.get().children().contains(child)) {
        return;
      }
      TocNode base = before.orElseGet(() -> stub(parent));
      draft.put(withChildren(base, inserted(draft, base.children(), child)));
      draft.markDirty(parent);
      if (before.isPresent()) {
        return;
      }
      child = parent;
    }
  }

  private void unlink(TocTransaction draft, NodeId node) {
    NodeId child = node;
    draft.retire(node);
    for (NodeId parent : TocCalendar.ancestors(node)) {
      Optional<TocNode> before = draft.node(parent);
      if (before.isEmpty()) {
        return;
      }
      List<NodeId> left = new ArrayList<>(before.get().children());
      left.remove(child);
      if (!left.isEmpty()) {
        draft.put(withChildren(before.get(), left));
        draft.markDirty(parent);
        return;
      }
      draft.retire(parent);
      child = parent;
    }
  }

  private TocNode stub(NodeId period) {
    return new TocNode(
        period,
        calendar.title(period),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        calendar.span(period),
        new Edition(1, Instant.EPOCH, /* provisional= */ true, summarizer.name()));
  }

  private static TocNode withChildren(TocNode node, List<NodeId> children) {
    return new TocNode(
        node.id(),
        node.title(),
        node.summary(),
        node.bullets(),
        node.keywords(),
        children,
        node.span(),
        node.edition().withProvisional(true));
  }

  /// Children stand in time order, segments that begin in one millisecond in the order of their
  /// first events. A period's id sorts by time, a segment's does not: its ULID need not carry the
  /// time of its event.
  private static List<NodeId> inserted(TocTransaction draft, List<NodeId> children, NodeId child) {
    ChildPlace place = place(draft, child);
    int low = 0;
    int high = children.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(draft, place(draft, children.get(middle)), place) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    List<NodeId> all = new ArrayList<>(children);
    all.add(low, child);
    return all;
  }

  private static int compare(TocTransaction draft, ChildPlace one, ChildPlace other) {
    if (one.start().equals(other.start())) {
      Optional<EventKey> first = draft.start(one.id());
      Optional<EventKey> second = draft.start(other.id());
      if (first.isPresent() && second.isPresent()) {
        return first.get().compareTo(second.get());
      }
    }
    return one.compareTo(other);
  }

  private static ChildPlace place(TocTransaction draft, NodeId id) {
    return draft
        .node(id)
        .map(ChildPlace::of)
        .orElseGet(() -> {
          if (!draft.isUnreadable(id)) {
            throw new AssertionError("no node for the link to " + id);
          }
          // Its start is unknown until it is written again.
          return new ChildPlace(Instant.EPOCH, id);
        });
  }
}
