package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.NodeCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/// Reads `toc_nodes`, `toc_latest`, `toc_dirty` and `toc_upgrades`.
public record TocRows(View view) implements TocReader {

  @Override
  public Optional<TocNode> node(NodeId id) {
    OptionalInt latest = latest(id);
    return latest.isEmpty() ? Optional.empty() : node(id, latest.getAsInt());
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    var found = new ArrayList<TocNode>(ids.size());
    for (NodeId id : ids) {
      view.tolerant(Table.TOC_NODES, Keys.latest(id), () -> node(id))
          .flatMap(node -> node)
          .ifPresent(found::add);
    }
    return List.copyOf(found);
  }

  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    if (version < 1 || version > Keys.LAST_VERSION) {
      return Optional.empty();
    }
    return Optional.ofNullable(view.get(Table.TOC_NODES, Keys.node(id, version)))
        .map(NodeCodec::decode);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    var found = new ArrayList<Integer>();
    view.scan(Table.TOC_NODES, Keys.nodePrefix(id), row -> found.add(Keys.toVersion(row.key())));
    return List.copyOf(found);
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    byte[] prefix = Keys.latestPrefix(level);
    byte[] from = after.map(id -> Keys.next(Keys.latest(id))).orElse(prefix);
    return ids(Table.TOC_LATEST, from, prefix, Keys::toLatest, limit);
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    byte[] prefix = Keys.markPrefix(level);
    return ids(Table.TOC_DIRTY, prefix, prefix, Keys::toMarked, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    return view.has(Table.TOC_DIRTY, Keys.mark(id));
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    byte[] prefix = Keys.markPrefix(level);
    return view.listBack(
        Table.TOC_UPGRADES,
        prefix,
        before.map(Keys::mark).orElse(Keys.after(prefix)),
        limit,
        row -> Optional.of(Keys.toMarked(row.key())).filter(id -> !before.equals(Optional.of(id))));
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    return view.get(Table.TOC_UPGRADES, Keys.mark(id)) != null;
  }

  private List<NodeId> ids(
      Table table, byte[] from, byte[] prefix, Function<byte[], NodeId> reading, int limit) {
    return view.list(
        table, from, Keys.after(prefix), limit, row -> Optional.of(reading.apply(row.key())));
  }

  /// The version that the latest pointer names.
  public OptionalInt latest(NodeId id) {
    byte[] row = view.get(Table.TOC_LATEST, Keys.latest(id));
    return row == null ? OptionalInt.empty() : OptionalInt.of(toVersion(row));
  }

  /// The highest version ever written, 0 for none; those that were removed do not count.
  public int highest(NodeId id) {
    byte[] prefix = Keys.nodePrefix(id);
    byte[] last = Keys.node(id, Keys.LAST_VERSION);
    List<Integer> found =
        view.listBack(
            Table.TOC_NODES, prefix, last, 1, row -> Optional.of(Keys.toVersion(row.key())));
    return found.isEmpty() ? 0 : found.getFirst();
  }

  public static byte[] pointer(int version) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(0, version).array();
  }

  static int toVersion(byte[] pointer) {
    return pointer.length == Integer.BYTES ? ByteBuffer.wrap(pointer).getInt() : 0;
  }
}
