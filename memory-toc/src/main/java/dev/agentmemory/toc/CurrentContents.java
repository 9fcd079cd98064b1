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
import java.util.List;
import java.util.Optional;

/// A store in which open segments say what their events say now. Idea: the digest of an open
/// segment is stored once it rests ([OpenDigests]), so a read that comes earlier makes it for its
/// answer and stores nothing.
public final class CurrentContents implements StoreReader, TocReader, GripReader {

  /// Open segments that are looked through for a grip that is not stored.
  private static final int MOST_OPEN = 256;

  private final StoreReader store;
  private final TocBuilder builder;

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
    return store.grips().grip(id).or(() -> unstored(id));
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    return store.toc().isDirty(node) && node.level() == TocLevel.SEGMENT
        ? node(node).stream().flatMap(found -> found.grips().stream()).sorted().toList()
        : store.grips().gripsOf(node);
  }

  private TocNode current(TocNode stored) {
    return composed(stored)
        .map(composed -> composed.node().withEdition(stored.edition()))
        .orElse(stored);
  }

  /// A grip that was handed out with a digest that is not stored yet.
  private Optional<Grip> unstored(GripId id) {
    for (NodeId node : store.toc().dirty(TocLevel.SEGMENT, MOST_OPEN)) {
      Optional<Grip> grip =
          store.toc().node(node).flatMap(this::composed).stream()
              .flatMap(composed -> composed.grips().stream())
              .filter(one -> one.id().equals(id))
              .findFirst();
      if (grip.isPresent()) {
        return grip;
      }
    }
    return Optional.empty();
  }

  /// Empty when the stored words are those of now. A segment that cannot be read keeps them, too.
  private Optional<Composed> composed(TocNode stored) {
    boolean waits =
        stored.level() == TocLevel.SEGMENT
            && stored.edition().provisional()
            && store.toc().isDirty(stored.id());
    return waits
        ? segment(stored.id()).map(segment -> builder.current(segment, stored))
        : Optional.empty();
  }

  private Optional<Segment> segment(NodeId node) {
    try {
      return store.segments().segment(SegmentId.of(node));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
