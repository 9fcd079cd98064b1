package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.GripCodec;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.rocksdb.Family;
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
    return Optional.ofNullable(view.get(Family.GRIPS, Keys.grip(id))).map(GripCodec::decode);
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    var found = new ArrayList<GripId>();
    view.scan(
        Family.GRIPS, Keys.nodeGripPrefix(node), row -> found.add(Keys.toGripOfNode(row.key())));
    return List.copyOf(found);
  }
}
