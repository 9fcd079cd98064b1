package dev.agentmemory.testkit.store;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The table of contents of a [HeapStore]: all versions, the latest ones, and the marks.
final class HeapNodes {

  private final NavigableMap<NodeId, NavigableMap<Integer, TocNode>> versions = new TreeMap<>();
  private final NavigableMap<NodeId, Integer> latest = new TreeMap<>();
  private final NavigableSet<NodeId> dirty = new TreeSet<>();
  private final NavigableSet<NodeId> upgrades = new TreeSet<>();

  /// The versions of a node: the highest ever written and the latest, 0 for none.
  record Head(int highest, int latest) {

    Head put(TocNode node) {
      int version = node.edition().version();
      boolean replaces = latest > 0 && version == latest;
      if (!replaces && version != highest + 1) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            ("version %d of %s is not the next one; latest is %d, highest ever %d;"
                    + " read the node again")
                .formatted(version, node.id(), latest, highest));
      }
      return new Head(Math.max(highest, version), version);
    }

    Head retire() {
      return new Head(highest, 0);
    }
  }

  /// Starts a check of a commit: its methods throw where those of these nodes would.
  Check check() {
    return new Check(new HashMap<>());
  }

  /// Checks changes one after the other without applying them.
  final class Check {

    private final Map<NodeId, Head> heads;

    Check(Map<NodeId, Head> heads) {
      this.heads = heads;
    }

    void put(TocNode node) {
      heads.put(node.id(), head(node.id()).put(node));
    }

    void retire(NodeId id) {
      heads.put(id, head(id).retire());
    }

    private Head head(NodeId id) {
      return heads.computeIfAbsent(id, HeapNodes.this::headOf);
    }
  }

  void put(TocNode node) {
    versions.computeIfAbsent(node.id(), id -> new TreeMap<>()).put(node.edition().version(), node);
    latest.put(node.id(), node.edition().version());
  }

  void dropFormer(NodeId id) {
    Optional.ofNullable(versions.get(id))
        .ifPresent(all -> all.keySet().removeIf(version -> !version.equals(latest.get(id))));
  }

  void mask(TocNode node) {
    Optional.ofNullable(versions.get(node.id()))
        .ifPresent(kept ->
            kept.computeIfPresent(
                node.edition().version(),
                (_, stored) ->
                    stored.edition().equals(node.edition()) && stored.grips().equals(node.grips())
                        ? node
                        : stored));
  }

  /// All versions, by node and version, behind one of them.
  Stream<TocNode> versions(Optional<TocNode> after) {
    return versions.values().stream()
        .flatMap(kept -> kept.values().stream())
        .filter(node -> after.map(last -> isBehind(last, node)).orElse(true));
  }

  private static boolean isBehind(TocNode last, TocNode node) {
    int order = node.id().compareTo(last.id());
    return order > 0 || (order == 0 && node.edition().version() > last.edition().version());
  }

  void retire(NodeId id) {
    if (latest.remove(id) != null) {
      dirty.remove(id);
      upgrades.remove(id);
    }
  }

  void markDirty(NodeId id) {
    dirty.add(id);
  }

  void clearDirty(NodeId id) {
    dirty.remove(id);
  }

  void markUpgrade(NodeId id) {
    upgrades.add(id);
  }

  void clearUpgrade(NodeId id) {
    upgrades.remove(id);
  }

  Optional<TocNode> node(NodeId id) {
    return Optional.ofNullable(latest.get(id)).flatMap(version -> node(id, version));
  }

  Optional<TocNode> node(NodeId id, int version) {
    return Optional.ofNullable(versions.get(id)).map(kept -> kept.get(version));
  }

  List<Integer> versions(NodeId id) {
    return Optional.ofNullable(versions.get(id))
        .map(v -> List.copyOf(v.keySet()))
        .orElse(List.of());
  }

  List<NodeId> ids(TocLevel level, Optional<NodeId> after, int limit) {
    return latest.navigableKeySet().stream()
        .filter(id -> id.level() == level)
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .limit(limit)
        .toList();
  }

  List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    return upgrades.descendingSet().stream()
        .filter(id -> id.level() == level)
        .filter(id -> before.isEmpty() || id.compareTo(before.get()) < 0)
        .limit(limit)
        .toList();
  }

  boolean isDirty(NodeId id) {
    return dirty.contains(id);
  }

  boolean awaitsUpgrade(NodeId id) {
    return upgrades.contains(id);
  }

  List<NodeId> dirty(TocLevel level, int limit) {
    return dirty.stream().filter(id -> id.level() == level).limit(limit).toList();
  }

  int count() {
    return latest.size();
  }

  int versionCount() {
    return versions.values().stream().mapToInt(Map::size).sum();
  }

  int dirtyCount() {
    return dirty.size();
  }

  private Head headOf(NodeId id) {
    NavigableMap<Integer, TocNode> kept = versions.get(id);
    return new Head(
        kept == null || kept.isEmpty() ? 0 : kept.lastKey(), latest.getOrDefault(id, 0));
  }
}
