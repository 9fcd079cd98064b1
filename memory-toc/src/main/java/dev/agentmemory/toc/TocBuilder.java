package dev.agentmemory.toc;

import dev.agentmemory.toc.summary.Passage;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Writes segments and their nodes into a draft: summary, grips, links up to the year, dirty marks.
/// The periods' own words are left to the rollups.
public final class TocBuilder {

  private final Summarizer summarizer;
  private final EventSizer sizer;
  private final TocCalendar calendar;
  private final LongAdder unsupported = new LongAdder();

  public TocBuilder(
      Summarizer summarizer, TokenCounter tokens, SegmentationConfig config, ZoneId zone) {
    this.summarizer = summarizer;
    this.sizer = new EventSizer(tokens, config);
    this.calendar = new TocCalendar(zone);
  }

  /// Points that were left out since the start because no event supports them.
  public long unsupportedBullets() {
    return unsupported.sum();
  }

  EventSizer sizer() {
    return sizer;
  }

  TocCalendar calendar() {
    return calendar;
  }

  /// Brings the table of contents in line with a session's new cut.
  ///
  /// @param known events at hand; others are read from the store
  void apply(TocDraft draft, TocDesk desk, SessionCutter.Recut recut, Map<EventKey, Event> known) {
    for (Segment gone : recut.vanished()) {
      remove(draft, gone);
    }
    for (Segment changed : recut.changed()) {
      write(draft, desk, changed, known);
    }
  }

  /// Removes a segment, its node and the periods that hold nothing else.
  void remove(TocDraft draft, Segment segment) {
    draft.drop(segment);
    unlink(draft, segment.node());
  }

  /// Writes a segment and summarises it, whatever is stored.
  void rewrite(TocDraft draft, TocDesk desk, Segment segment) {
    draft.put(segment);
    summarise(draft, desk, segment, Map.of());
    link(draft, segment.node());
  }

  private void write(TocDraft draft, TocDesk desk, Segment segment, Map<EventKey, Event> known) {
    Optional<Segment> before = desk.store().segment(segment.id());
    Optional<TocNode> node = draft.node(segment.node());
    draft.put(segment);
    if (node.isPresent() && before.isPresent() && readsTheSame(before.get(), segment)) {
      finish(draft, segment, node.get());
    } else {
      summarise(draft, desk, segment, known);
    }
    link(draft, segment.node());
  }

  /// Marks a node final, or open again, whose words stay as they are.
  void finish(TocDraft draft, Segment segment, TocNode node) {
    Edition edition = node.edition();
    draft.put(
        node.withEdition(
            new Edition(
                edition.version(),
                edition.createdAt(),
                segment.boundary() == Boundary.OPEN,
                edition.summarizer())));
    draft.markDirty(TocCalendar.ancestors(segment.node()).getFirst());
  }

  private void summarise(
      TocDraft draft, TocDesk desk, Segment segment, Map<EventKey, Event> known) {
    Map<EventKey, Event> events = events(desk, segment, known);
    List<EventKey> keys = segment.entries().stream().map(SegmentEntry::key).toList();
    List<Event> read = present(keys, events);
    Summary summary = summarizer.summarize(new Passage(read, present(segment.overlap(), events)));
    GripForge.Anchored anchored = GripForge.anchor(segment.node(), read, summary.points());
    unsupported.add(anchored.unsupported());
    anchored.grips().forEach(draft::put);
    draft.put(
        new TocNode(
            segment.node(),
            summary.title().orElseGet(() -> calendar.moment(segment.start())),
            summary.prose(),
            anchored.bullets(),
            summary.keywords(),
            List.of(),
            new Span(segment.start(), segment.end()),
            new Edition(
                1,
                desk.clock().instant(),
                segment.boundary() == Boundary.OPEN,
                summarizer.name())));
    draft.markDirty(TocCalendar.ancestors(segment.node()).getFirst());
  }

  private static boolean readsTheSame(Segment before, Segment now) {
    return before.entries().equals(now.entries()) && before.overlap().equals(now.overlap());
  }

  private static Map<EventKey, Event> events(
      TocDesk desk, Segment segment, Map<EventKey, Event> known) {
    Set<EventKey> wanted = new HashSet<>(segment.overlap());
    segment.entries().forEach(entry -> wanted.add(entry.key()));
    wanted.removeAll(known.keySet());
    if (wanted.isEmpty()) {
      return known;
    }
    Map<EventKey, Event> events = new HashMap<>(known);
    for (Event event : desk.store().events(wanted.stream().sorted().toList())) {
      events.put(event.key(), event);
    }
    return events;
  }

  private List<Event> present(List<EventKey> keys, Map<EventKey, Event> events) {
    return keys.stream().filter(events::containsKey).map(events::get).map(sizer::cut).toList();
  }

  /// Makes the periods above a node exist and name it. Once a parent exists, all above it do.
  private void link(TocDraft draft, NodeId node) {
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

  private void unlink(TocDraft draft, NodeId node) {
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
    Edition edition = node.edition();
    return new TocNode(
        node.id(),
        node.title(),
        node.summary(),
        node.bullets(),
        node.keywords(),
        children,
        node.span(),
        new Edition(
            edition.version(), edition.createdAt(), /* provisional= */ true, edition.summarizer()));
  }

  /// Children stand in time order. A period's id sorts by time, a segment's does not: its ULID need
  /// not carry the time of its event.
  private static List<NodeId> inserted(TocDraft draft, List<NodeId> children, NodeId child) {
    ChildPlace place = place(draft, child);
    int low = 0;
    int high = children.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (place(draft, children.get(middle)).compareTo(place) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    List<NodeId> all = new ArrayList<>(children);
    all.add(low, child);
    return all;
  }

  private static ChildPlace place(TocDraft draft, NodeId id) {
    return ChildPlace.of(
        draft.node(id).orElseThrow(() -> new AssertionError("no node for the link to " + id)));
  }
}
