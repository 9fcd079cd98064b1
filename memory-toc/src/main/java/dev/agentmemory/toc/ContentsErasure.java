package dev.agentmemory.toc;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.internal.segment.Cut;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Takes erased events out of the table of contents. Segments that hold some, or have some as
/// context, are cut down to what is left and summarised again; so are the periods above them.
/// Former versions of these nodes and grips on erased events go. Nodes that rest on nothing erased
/// stay as they are.
public final class ContentsErasure {

  private static final int PAGE = 256;

  /// Segments of one commit.
  private static final int STEP = 16;

  private final TocWriter writer;
  private final TocBuilder builder;
  private final Rollup rollup;

  public ContentsErasure(TocWriter writer, TocBuilder builder, Rollup rollup) {
    this.writer = writer;
    this.builder = builder;
    this.rollup = rollup;
  }

  /// Runs work during which nobody else writes the table of contents.
  public <T> T hold(Supplier<T> work) {
    return writer.hold(work);
  }

  /// The nodes that say, or have said, what events say, with all periods above them; also nodes
  /// that were retired. To be asked before the events are erased.
  ///
  /// @param erased events, by session
  public NavigableSet<NodeId> affected(Map<SessionId, Set<EventKey>> erased) {
    NavigableSet<NodeId> nodes = new TreeSet<>();
    var former = new FormerNodes();
    erased.forEach((session, keys) -> {
      for (Segment segment : segments(session)) {
        former.starts.add(segment.first().id());
        if (isAffected(segment, keys)) {
          nodes.add(segment.node());
        }
      }
      eventsOf(session).forEach(key -> former.events.add(key.id()));
      keys.forEach(former::addErased);
    });
    nodes.addAll(former.find());
    for (NodeId node : List.copyOf(nodes)) {
      nodes.addAll(TocCalendar.ancestors(node));
    }
    return nodes;
  }

  /// Nodes of segments that were retired, or whose former versions may be of an earlier cut. Many
  /// sessions have events on the same day, so the nodes of a day are read once for all of them.
  private final class FormerNodes {

    /// The events of the sessions, also those that are erased.
    private final Set<EventId> events = new HashSet<>();

    /// With which their segments start now.
    private final Set<EventId> starts = new HashSet<>();

    private final Set<NodeId> days = new TreeSet<>();

    void addErased(EventKey key) {
      events.add(key.id());
      days.add(day(key));
      // A segment belongs to the day on which it starts.
      days.add(day(key.timestamp().minusSeconds(86_400), key));
    }

    List<NodeId> find() {
      List<NodeId> found = new ArrayList<>();
      for (NodeId day : days) {
        Optional<NodeId> after = Optional.empty();
        List<NodeId> page;
        do {
          page = writer.store().derived().segmentNodes(day, after, PAGE);
          page.stream().filter(this::isFormer).forEach(found::add);
          after = page.isEmpty() ? after : Optional.of(page.getLast());
        } while (page.size() == PAGE);
      }
      return found;
    }

    private boolean isFormer(NodeId node) {
      EventId first = SegmentId.of(node).firstEvent();
      return events.contains(first)
          && (!starts.contains(first) || writer.store().toc().versions(node).size() > 1);
    }
  }

  private NodeId day(EventKey key) {
    return day(key.timestamp(), key);
  }

  private NodeId day(Instant moment, EventKey key) {
    NodeId day = NodeId.day(builder.calendar().day(moment));
    return key.id().workspace().map(day::in).orElse(day);
  }

  private List<EventKey> eventsOf(SessionId session) {
    MemoryStore store = writer.store();
    List<EventKey> all = new ArrayList<>();
    List<EventKey> page = List.of();
    do {
      Optional<EventKey> after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
      page = store.sessions().eventsAfter(session, after, PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }

  private List<Segment> segments(SessionId session) {
    List<Segment> all = new ArrayList<>();
    List<Segment> page = List.of();
    do {
      Optional<EventKey> after =
          page.isEmpty() ? Optional.empty() : Optional.of(page.getLast().first());
      page = writer.store().segments().segmentsAfter(session, after, PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }

  private static boolean isAffected(Segment segment, Set<EventKey> erased) {
    return segment.overlap().stream().anyMatch(erased::contains)
        || segment.entries().stream().anyMatch(entry -> erased.contains(entry.key()));
  }

  /// Cuts segments down, after the events were erased, and rolls up what is above them. Does
  /// nothing that it did before, so it can be repeated after a crash.
  ///
  /// @param affected what [#affected] has found
  public void run(Map<SessionId, Set<EventKey>> erased, NavigableSet<NodeId> affected) {
    writer.erased();
    erased.forEach((session, keys) -> {
      List<Segment> left =
          segments(session).stream().filter(segment -> isAffected(segment, keys)).toList();
      for (int from = 0; from < left.size(); from += STEP) {
        List<Segment> some = left.subList(from, Math.min(left.size(), from + STEP));
        writer.write(draft -> {
          some.forEach(segment -> cutDown(draft, segment, keys));
          return some.size();
        });
      }
    });
    List<NodeId> segments = affected.stream().filter(id -> id.level() == TocLevel.SEGMENT).toList();
    for (int from = 0; from < segments.size(); from += PAGE) {
      List<NodeId> some = segments.subList(from, Math.min(segments.size(), from + PAGE));
      writer.write(draft -> {
        some.forEach(draft::purge);
        return some.size();
      });
    }
    rollup.purge(affected);
  }

  private void cutDown(TocTransaction draft, Segment segment, Set<EventKey> erased) {
    List<SegmentEntry> entries =
        segment.entries().stream().filter(entry -> !erased.contains(entry.key())).toList();
    List<EventKey> overlap =
        segment.overlap().stream().filter(key -> !erased.contains(key)).toList();
    draft.purge(segment.node());
    // A model's words are kept while its events are the same, but it has read the context, too.
    boolean byModel =
        !overlap.equals(segment.overlap())
            && draft.node(segment.node()).flatMap(node -> node.edition().input()).isPresent();
    if (byModel || entries.isEmpty() || !entries.getFirst().equals(segment.entries().getFirst())) {
      builder.remove(draft, segment);
    }
    if (!entries.isEmpty()) {
      Segment left =
          builder
              .calendar()
              .segment(segment.session(), new Cut(entries, segment.boundary()), overlap);
      builder.write(draft, List.of(left), Map.of());
    }
  }
}
