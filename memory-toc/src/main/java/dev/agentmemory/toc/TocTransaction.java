package dev.agentmemory.toc;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A change of the table of contents in the making: reads see what the draft holds, then what is
/// stored. It decides about versions: a node whose content stays the same is not written; a
/// provisional version is replaced, a final one kept and followed by the next.
///
/// Grips that only replaced versions cited are dropped. A final version never cites one of them: a
/// period is final only when all below it is. Grips of a retired node are not dropped, also when
/// its last version was provisional: retired versions stay readable, evidence included.
final class TocTransaction {

  private final MemoryStore store;
  private final InstantSource clock;
  private final Map<NodeId, Optional<TocNode>> stored = new HashMap<>();
  private final Map<NodeId, Optional<TocNode>> nodes = new LinkedHashMap<>();
  private final Set<NodeId> unreadable = new HashSet<>();
  private final Map<NodeId, Boolean> dirty = new LinkedHashMap<>();
  private final Map<NodeId, Boolean> upgrades = new LinkedHashMap<>();
  private final Map<GripId, Grip> grips = new LinkedHashMap<>();
  private final List<Change> segments = new ArrayList<>();
  private final Map<SegmentId, EventKey> starts = new HashMap<>();
  private final List<Change> calls = new ArrayList<>();
  private final Set<NodeId> purged = new LinkedHashSet<>();
  private final boolean upgrading;

  /// @param upgrading whether final nodes are marked for a model's summary
  TocTransaction(MemoryStore store, InstantSource clock, boolean upgrading) {
    this.store = store;
    this.clock = clock;
    this.upgrading = upgrading;
  }

  /// The node as it would be after the commit.
  Optional<TocNode> node(NodeId id) {
    Optional<TocNode> drafted = nodes.get(id);
    return drafted != null ? drafted : stored(id);
  }

  /// Writes a node's content. Version and time of the given edition do not matter.
  void put(TocNode content) {
    NodeId id = content.id();
    Optional<TocNode> before = stored(id);
    if (before.isPresent() && isSettled(before.get(), content)) {
      nodes.remove(id);
      return;
    }
    nodes.put(
        id,
        Optional.of(
            content.withEdition(
                content.edition().withVersion(nextVersion(id, before), clock.instant()))));
    markUpgrade(content);
  }

  /// Marks a node for a model's summary, unless no model is configured, the node is not final, its
  /// summary was written by a model or chosen by a user, or it is empty.
  void markUpgrade(TocNode node) {
    Edition edition = node.edition();
    boolean worthwhile =
        !edition.provisional()
            && edition.input().isEmpty()
            && edition.revertedTo().isEmpty()
            && !node.bullets().isEmpty();
    if (upgrading && worthwhile) {
      upgrades.put(node.id(), true);
    }
  }

  /// Leaves nothing of what a node has said before: its former versions, and the grips of all of
  /// them but for those that this draft writes.
  void purge(NodeId id) {
    purged.add(id);
  }

  void clearUpgrade(NodeId id) {
    upgrades.put(id, false);
  }

  void retire(NodeId id) {
    nodes.put(id, Optional.empty());
    dirty.remove(id);
    upgrades.remove(id);
  }

  void markDirty(NodeId id) {
    dirty.put(id, true);
  }

  void clearDirty(NodeId id) {
    dirty.put(id, false);
  }

  /// The words of a segment are what its events say now.
  void settleDigest(NodeId node) {
    if (node.level() == TocLevel.SEGMENT) {
      dirty.remove(node);
      if (store.toc().isDirty(node)) {
        clearDirty(node);
      }
    }
  }

  void put(Grip grip) {
    grips.put(grip.id(), grip);
  }

  void put(Segment segment) {
    starts.put(segment.id(), segment.first());
    segments.add(new Change.PutSegment(segment));
  }

  /// Where the segment of a node begins; empty for other nodes, and when the segment is not there
  /// or cannot be read.
  Optional<EventKey> start(NodeId node) {
    if (node.level() != TocLevel.SEGMENT) {
      return Optional.empty();
    }
    EventKey drafted = starts.get(SegmentId.of(node));
    return drafted == null
        ? ReadableSegments.of(store.segments(), node).map(Segment::first)
        : Optional.of(drafted);
  }

  void drop(Segment segment) {
    segments.add(new Change.DropSegment(segment.id()));
  }

  /// Adds a call to the ledger.
  void record(ModelCall call) {
    calls.add(new Change.RecordCall(call));
  }

  /// Nodes that are written or retired.
  Set<NodeId> nodes() {
    return Set.copyOf(nodes.keySet());
  }

  /// Everything that the commit has to do.
  List<Change> changes() {
    List<Change> changes = new ArrayList<>(segments);
    grips.values().forEach(grip -> changes.add(new Change.PutGrip(grip)));
    nodes.forEach((id, node) ->
        changes.add(node.isPresent() ? new Change.PutNode(node.get()) : new Change.RetireNode(id)));
    dirty.forEach(
        (id, marked) -> changes.add(marked ? new Change.MarkDirty(id) : new Change.ClearDirty(id)));
    upgrades.forEach((id, marked) ->
        changes.add(marked ? new Change.MarkUpgrade(id) : new Change.ClearUpgrade(id)));
    changes.addAll(calls);
    for (GripId orphan : orphans()) {
      changes.add(new Change.DropGrip(orphan));
    }
    purged.forEach(id -> purge(id, changes));
    return changes;
  }

  private void purge(NodeId id, List<Change> changes) {
    Set<GripId> kept = new HashSet<>();
    node(id).ifPresent(left -> kept.addAll(left.grips()));
    Set<GripId> all = new LinkedHashSet<>();
    for (int version : store.toc().versions(id)) {
      readable(id, version).ifPresent(former -> all.addAll(former.grips()));
    }
    // The grips of periods are those of segments.
    if (id.level() == TocLevel.SEGMENT) {
      all.stream()
          .filter(grip -> !kept.contains(grip) && !grips.containsKey(grip))
          .forEach(grip -> changes.add(new Change.DropGrip(grip)));
    }
    changes.add(new Change.DropFormerVersions(id));
  }

  private Optional<TocNode> readable(NodeId id, int version) {
    try {
      return store.toc().node(id, version);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private static boolean isSettled(TocNode before, TocNode content) {
    return before.sameContent(content)
        && before.edition().input().equals(content.edition().input())
        && (!before.edition().provisional() || content.edition().provisional());
  }

  private int nextVersion(NodeId id, Optional<TocNode> before) {
    if (before.isPresent()) {
      Edition edition = before.get().edition();
      return edition.provisional() ? edition.version() : edition.version() + 1;
    }
    List<Integer> versions = store.toc().versions(id);
    return versions.isEmpty() ? 1 : versions.getLast() + 1;
  }

  /// Whether the stored node is damaged. It counts as absent and is written again, so that one
  /// damaged record blocks neither its siblings nor its ancestors.
  boolean isUnreadable(NodeId id) {
    stored(id);
    return unreadable.contains(id);
  }

  private Optional<TocNode> stored(NodeId id) {
    return stored.computeIfAbsent(id, this::read);
  }

  private Optional<TocNode> read(NodeId id) {
    try {
      return store.toc().node(id);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.add(id);
      return Optional.empty();
    }
  }

  private Set<GripId> orphans() {
    Set<GripId> orphans = new LinkedHashSet<>();
    for (Map.Entry<NodeId, Optional<TocNode>> change : nodes.entrySet()) {
      Optional<TocNode> before = stored(change.getKey());
      if (before.isPresent() && change.getValue().isPresent()) {
        replacedGrips(before.get(), change.getValue().get()).stream()
            .filter(grip -> !isNeeded(grip))
            .forEach(orphans::add);
      }
    }
    return orphans;
  }

  private static Set<GripId> replacedGrips(TocNode before, TocNode after) {
    if (before.edition().version() != after.edition().version()) {
      return Set.of();
    }
    var gone = new HashSet<>(before.grips());
    after.grips().forEach(gone::remove);
    return gone;
  }

  /// Whether a kept version of the grip's segment, or a period above it, still cites the grip.
  private boolean isNeeded(GripId id) {
    Optional<Grip> grip = Optional.ofNullable(grips.get(id)).or(() -> store.grips().grip(id));
    if (grip.isEmpty()) {
      return false;
    }
    NodeId maker = grip.get().node();
    List<NodeId> users = new ArrayList<>(TocCalendar.ancestors(maker));
    users.add(maker);
    return users.stream().anyMatch(user -> uses(node(user), id))
        || earlierVersionRestsOn(maker, id);
  }

  private boolean earlierVersionRestsOn(NodeId maker, GripId id) {
    int latest = node(maker).map(node -> node.edition().version()).orElse(Integer.MAX_VALUE);
    return latest > 1
        && store.toc().versions(maker).stream()
            .filter(version -> version < latest)
            .anyMatch(version -> uses(store.toc().node(maker, version), id));
  }

  private static boolean uses(Optional<TocNode> node, GripId id) {
    return node.isPresent()
        && node.get().bullets().stream().anyMatch(bullet -> bullet.grips().contains(id));
  }
}
