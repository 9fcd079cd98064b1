package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.read.GripRows;
import dev.agentmemory.storage.read.TocRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Caches, for the thread that writes, which versions of a node exist and which grips the latest
/// version refers to.
final class NodeVersionCache {

  private static final int BOUND = 2048;
  private static final byte[] NOTHING = new byte[0];

  private final TocRows nodes;
  private final GripRows grips;
  private final Recent<NodeId, Versions> recent = new Recent<>(BOUND);

  /// The versions of a node, and the grips of the latest one.
  ///
  /// @param highest the highest version ever written, 0 for none
  /// @param latest the version that the latest pointer names, 0 for none
  record Versions(int highest, int latest, Set<GripId> grips) {

    Versions put(NodeId id, int version, Set<GripId> evidence) {
      boolean replaces = latest > 0 && version == latest;
      if (!replaces && version != highest + 1) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            ("version %d of %s is not the next one; latest is %d, highest ever %d;"
                    + " read the node again")
                .formatted(version, id, latest, highest));
      }
      return new Versions(Math.max(highest, version), version, evidence);
    }

    Versions retired() {
      return new Versions(highest, 0, Set.of());
    }
  }

  NodeVersionCache(View view) {
    this.nodes = new TocRows(view);
    this.grips = new GripRows(view);
  }

  /// Checks all puts of a commit before any of it is written.
  ///
  /// @throws MemoryException `CONFLICT`
  void checkAll(List<Prepared.Step> steps) {
    Map<NodeId, Versions> pending = new HashMap<>();
    for (Prepared.Step step : steps) {
      if (!(step instanceof Prepared.Step.Other other)) {
        continue;
      }
      if (other.change() instanceof Change.PutNode(TocNode node)) {
        Versions state = pending.computeIfAbsent(node.id(), this::state);
        pending.put(node.id(), state.put(node.id(), node.edition().version(), Set.of()));
      } else if (other.change() instanceof Change.RetireNode(NodeId id)) {
        pending.put(id, pending.computeIfAbsent(id, this::state).retired());
      }
    }
  }

  void put(TocNode node, byte[] value, RowBatch batch) {
    NodeId id = node.id();
    int version = node.edition().version();
    Versions old = state(id);
    Versions changed = old.put(id, version, Set.copyOf(node.grips()));
    batch.put(Table.TOC_NODES, Keys.node(id, version), value);
    batch.put(Table.TOC_LATEST, Keys.latest(id), TocRows.pointer(version));
    writeIndex(id, old.grips(), changed.grips(), batch);
    recent.put(id, changed);
  }

  /// Replaces the texts of a stored version. The versions and the index of grips stay.
  void mask(TocNode node, byte[] value, RowBatch batch) {
    int version = node.edition().version();
    if (nodes.node(node.id(), version).filter(stored -> isSame(stored, node)).isPresent()) {
      batch.put(Table.TOC_NODES, Keys.node(node.id(), version), value);
    }
  }

  /// Whether the stored version differs in what may be masked only.
  private static boolean isSame(TocNode stored, TocNode node) {
    return stored.edition().equals(node.edition()) && stored.grips().equals(node.grips());
  }

  /// @return whether the node was there
  boolean retire(NodeId id, RowBatch batch) {
    Versions old = state(id);
    if (old.latest() == 0) {
      return false;
    }
    batch.delete(Table.TOC_LATEST, Keys.latest(id));
    writeIndex(id, old.grips(), Set.of(), batch);
    recent.put(id, old.retired());
    return true;
  }

  /// Removes the versions that are not the latest.
  void dropFormer(NodeId id, RowBatch batch) {
    Versions old = state(id);
    for (int version : nodes.versions(id)) {
      if (version != old.latest()) {
        batch.delete(Table.TOC_NODES, Keys.node(id, version));
      }
    }
    recent.put(id, new Versions(old.latest(), old.latest(), old.grips()));
  }

  void trim() {
    recent.trim();
  }

  private void writeIndex(NodeId id, Set<GripId> old, Set<GripId> now, RowBatch batch) {
    old.stream()
        .filter(grip -> !now.contains(grip))
        .forEach(grip -> batch.delete(Table.GRIPS, Keys.nodeGrip(id, grip)));
    now.stream()
        .filter(grip -> !old.contains(grip))
        .forEach(grip -> batch.put(Table.GRIPS, Keys.nodeGrip(id, grip), NOTHING));
  }

  private Versions state(NodeId node) {
    return recent.get(
        node, id -> new Versions(nodes.highest(id), latest(id), Set.copyOf(grips.gripsOf(id))));
  }

  /// A pointer that cannot be read counts as absent: the next version writes it again.
  private int latest(NodeId id) {
    try {
      return nodes.latest(id).orElse(0);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return 0;
    }
  }
}
