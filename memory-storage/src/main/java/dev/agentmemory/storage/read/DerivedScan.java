package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.GripCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.NodeCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads all of `toc_nodes`, and the grips of `grips`.
public record DerivedScan(View view) implements DerivedReader {

  private static final byte[] ALL = new byte[0];

  @Override
  public List<TocNode> nodeVersions(Optional<TocNode> after, int limit) {
    byte[] from =
        after.map(node -> Keys.next(Keys.node(node.id(), node.edition().version()))).orElse(ALL);
    return view.list(
        Table.TOC_NODES,
        from,
        Keys.after(ALL),
        limit,
        row -> {
          byte[] key = row.key();
          return view.tolerant(Table.TOC_NODES, key, () -> NodeCodec.decode(row.value()));
        });
  }

  @Override
  public List<NodeId> segmentNodes(NodeId day, Optional<NodeId> after, int limit) {
    View.checkLimit(limit);
    byte[] prefix = Keys.segmentsOf(day);
    byte[] from = after.map(id -> Keys.after(Keys.nodePrefix(id))).orElse(prefix);
    List<NodeId> found = new ArrayList<>();
    view.scan(
        Table.TOC_NODES,
        from,
        Keys.after(prefix),
        row -> {
          NodeId node = Keys.toNodeOfVersion(row.key());
          boolean isNew = found.isEmpty() || !found.getLast().equals(node);
          if (isNew && node.workspace().equals(day.workspace())) {
            found.add(node);
          }
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  @Override
  public List<Grip> grips(Optional<GripId> after, int limit) {
    byte[] prefix = Keys.gripPrefix();
    return view.list(
        Table.GRIPS,
        after.map(id -> Keys.next(Keys.grip(id))).orElse(prefix),
        Keys.after(prefix),
        limit,
        row -> {
          byte[] key = row.key();
          return view.tolerant(Table.GRIPS, key, () -> GripCodec.decode(row.value()));
        });
  }
}
