package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.GripCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `grips`.
public record GripRows(View view) implements GripReader {

  @Override
  public Optional<Grip> grip(GripId id) {
    return Optional.ofNullable(view.get(Table.GRIPS, Keys.grip(id))).map(GripCodec::decode);
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    var found = new ArrayList<GripId>();
    view.scan(
        Table.GRIPS, Keys.nodeGripPrefix(node), row -> found.add(Keys.toGripOfNode(row.key())));
    return List.copyOf(found);
  }
}
