package dev.agentmemory.toc;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.toc.SegmentComposer.Composed;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store in which open segments say what their events say now. Idea: the digest of an open
/// segment is stored once it rests ([OpenDigests]), so a read that comes earlier makes it for its
/// answer and stores nothing.
public final class CurrentContents implements StoreReader, TocReader, GripReader {

  /// Open segments that are looked through for a grip that is not stored.
  private static final int MOST_WAITING = 10_000;

  private static final int REMEMBERED = 128;

  private final StoreReader store;
  private final TocBuilder builder;

  /// A digest, and what it was made of.
  private record Known(Segment segment, Composed composed) {}

  /// The digests made last, for the next page of a list and for grips.
  private final Map<NodeId, Known> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, Known> eldest) {
          return size() > REMEMBERED;
        }
      };

  public CurrentContents(StoreReader store, TocBuilder builder) {
    this.store = store;
    this.builder = builder;
  }

  @Override
  public EventReader events() {
    return store.events();
  }

  @Override
  public SessionReader sessions() {
    return store.sessions();
  }

  @Override
  public SegmentReader segments() {
    return store.segments();
  }

  @Override
  public TocReader toc() {
    return this;
  }

  @Override
  public GripReader grips() {
    return this;
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return store.toc().node(id).map(this::current);
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    return store.toc().nodes(ids).stream().map(this::current).toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    return store.toc().node(id, version);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    return store.toc().versions(id);
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    return store.toc().nodeIds(level, after, limit);
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    return store.toc().dirty(level, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    return store.toc().isDirty(id);
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    return store.toc().upgrades(level, before, limit);
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    return store.toc().awaitsUpgrade(id);
  }

  @Override
  public Optional<Grip> grip(GripId id) {
    return store.grips().grip(id).or(() -> unstored(id)).or(() -> store.grips().grip(id));
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    return store
        .toc()
        .node(node)
        .flatMap(this::composed)
        .map(composed -> composed.node().grips().stream().sorted().toList())
        .orElseGet(() -> store.grips().gripsOf(node));
  }

  private TocNode current(TocNode stored) {
    if (!mayWait(stored)) {
      return stored;
    }
    Optional<Composed> composed = composed(stored);
    return composed.isPresent()
        ? composed.get().node().withEdition(stored.edition())
        // Its digest may have been stored since the node was read.
        : store.toc().node(stored.id()).orElse(stored);
  }

  /// A grip that was handed out with a digest that is not stored yet.
  private Optional<Grip> unstored(GripId id) {
    for (NodeId node : store.toc().dirty(TocLevel.SEGMENT, MOST_WAITING)) {
      Optional<Grip> grip =
          node.workspace().equals(id.workspace()) ? unstored(id, node) : Optional.empty();
      if (grip.isPresent()) {
        return grip;
      }
    }
    return Optional.empty();
  }

  private Optional<Grip> unstored(GripId id, NodeId node) {
    try {
      return store
          .toc()
          .node(node)
          .filter(CurrentContents::mayWait)
          .flatMap(stored -> composed(stored, id))
          .stream()
          .flatMap(composed -> composed.grips().stream())
          .filter(one -> one.id().equals(id))
          .findFirst();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private static boolean mayWait(TocNode stored) {
    return stored.level() == TocLevel.SEGMENT && stored.edition().provisional();
  }

  /// What a segment says now if the grip can be of it: a grip is of the time of an event.
  private Optional<Composed> composed(TocNode stored, GripId grip) {
    return segment(stored.id())
        .filter(segment ->
            !grip.time().isBefore(segment.start()) && !grip.time().isAfter(segment.end()))
        .map(segment -> composed(segment, stored));
  }

  /// Empty when the stored words are those of now, or the segment cannot be read.
  private Optional<Composed> composed(TocNode stored) {
    try {
      return mayWait(stored) && store.toc().isDirty(stored.id())
          ? segment(stored.id()).map(segment -> composed(segment, stored))
          : Optional.empty();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private Optional<Segment> segment(NodeId node) {
    return store.segments().segment(SegmentId.of(node));
  }

  private Composed composed(Segment segment, TocNode stored) {
    Known before;
    synchronized (known) {
      before = known.get(segment.node());
    }
    if (before != null && before.segment().equals(segment)) {
      return before.composed();
    }
    Composed composed = builder.current(segment, stored);
    synchronized (known) {
      known.put(segment.node(), new Known(segment, composed));
    }
    return composed;
  }
}
