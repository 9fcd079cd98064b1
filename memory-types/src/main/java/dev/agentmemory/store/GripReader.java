package dev.agentmemory.store;

import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Optional;

/// Reads grips.
public interface GripReader {

  /// @return empty when there is none
  Optional<Grip> grip(GripId id);

  /// Grips that the latest version of a node cites, in the order of their ids.
  List<GripId> gripsOf(NodeId node);
}
