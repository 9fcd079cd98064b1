package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.NodeCodec;
import dev.agentmemory.storage.read.GripRows;
import dev.agentmemory.storage.read.TocRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks `toc_nodes`, `toc_latest`, `toc_dirty`, `toc_upgrades` and the index of grips by node:
/// the table of contents is a tree, and everything that it names exists.
final class TocCheck {

  private static final int PAGE = 512;

  private final View view;
  private final Findings findings;
  private final TocRows nodes;
  private final GripRows grips;

  /// The last parent that was read: children of one parent are consecutive.
  private @Nullable TocNode parent;

  TocCheck(View view, Findings findings) {
    this.view = view;
    this.findings = findings;
    this.nodes = new TocRows(view);
    this.grips = new GripRows(view);
  }

  void run(Counters counters) {
    for (TocLevel level : TocLevel.values()) {
      List<NodeId> page = nodes.nodeIds(level, Optional.empty(), PAGE);
      while (!page.isEmpty() && findings.more()) {
        page.forEach(this::checkLatest);
        page = nodes.nodeIds(level, Optional.of(page.getLast()), PAGE);
      }
    }
    checkVersions();
    checkIndex();
    long dirty = checkMarks(Table.TOC_DIRTY);
    String problem = dirty + " rows, but " + counters.dirtyNodes() + " were counted";
    findings.demand(dirty == counters.dirtyNodes(), Table.TOC_DIRTY, "all", problem);
    checkMarks(Table.TOC_UPGRADES);
  }

  private void checkLatest(NodeId id) {
    byte[] key = Keys.latest(id);
    Optional<TocNode> node =
        findings.readable(Table.TOC_NODES, key, () -> nodes.node(id)).flatMap(found -> found);
    findings.demand(node.isPresent(), Table.TOC_LATEST, id, "leads to no version");
    node.ifPresent(this::checkNode);
  }

  private void checkNode(TocNode node) {
    NodeId id = node.id();
    for (NodeId child : node.children()) {
      boolean there = nodes.latest(child).isPresent();
      findings.demand(there, Table.TOC_NODES, id, "has no child " + child);
      boolean own = Parents.of(child).equals(Optional.of(id));
      findings.demand(own, Table.TOC_NODES, id, "has a child of another node: " + child);
    }
    boolean once = new HashSet<>(node.children()).size() == node.children().size();
    findings.demand(once, Table.TOC_NODES, id, "names a child twice");
    Parents.of(id).ifPresent(above -> checkParent(id, above));
    for (GripId grip : node.grips()) {
      boolean there = view.has(Table.GRIPS, Keys.grip(grip));
      findings.demand(there, Table.TOC_NODES, id, "has no grip " + grip);
    }
    boolean indexed = grips.gripsOf(id).equals(node.grips().stream().sorted().toList());
    findings.demand(indexed, Table.GRIPS, id, "its index of grips does not match its bullets");
  }

  private void checkParent(NodeId id, NodeId above) {
    if (parent == null || !parent.id().equals(above)) {
      parent =
          findings
              .readable(Table.TOC_NODES, Keys.latest(above), () -> nodes.node(above))
              .flatMap(found -> found)
              .orElse(null);
    }
    boolean linked = parent != null && parent.children().contains(id);
    findings.demand(linked, Table.TOC_NODES, id, "is not among the children of " + above);
  }

  /// Checks that every stored version can be read, also versions that are not the latest.
  private void checkVersions() {
    view.scanAll(
        Table.TOC_NODES,
        row -> {
          findings.readable(Table.TOC_NODES, row.key(), () -> NodeCodec.decode(row.value()));
          return findings.more();
        });
  }

  private void checkIndex() {
    view.scan(
        Table.GRIPS,
        Keys.nodeGripsPrefix(),
        row -> {
          boolean there = nodes.latest(Keys.toNodeOfGrip(row.key())).isPresent();
          findings.demand(
              there,
              Table.GRIPS,
              Keys.text(row.key()),
              "is an index row of a node that no longer exists");
          return findings.more();
        });
  }

  /// @return how many there are
  private long checkMarks(Table table) {
    long[] rows = new long[1];
    view.scanAll(
        table,
        row -> {
          rows[0]++;
          NodeId id = Keys.toMarked(row.key());
          boolean there = nodes.latest(id).isPresent();
          findings.demand(there, table, id, "marks a node that does not exist");
          return findings.more();
        });
    return rows[0];
  }
}
