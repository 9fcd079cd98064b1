package dev.agentmemory.bench.recall;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import java.util.Collection;
import java.util.Optional;

/// What the lines of orientation documents cite.
///
/// @param count how many different ones
/// @param resolved how many of them a caller can read
/// @param memories how many of these are memories
record Citations(long count, long resolved, long memories) {

  /// Reads each cited thing.
  static Citations resolve(MemoryClient client, Collection<String> cited) {
    long resolved = 0;
    long memories = 0;
    for (String citation : cited) {
      Optional<NodeId> node = NodeId.parse(citation);
      if (node.isPresent()) {
        resolved += client.contents().node(node.get()).isPresent() ? 1 : 0;
      } else if (GripId.isValid(citation)) {
        resolved += client.contents().expand(new GripId(citation), 0, 0).isPresent() ? 1 : 0;
      } else if (isMemory(client, citation)) {
        resolved++;
        memories++;
      }
    }
    return new Citations(cited.size(), resolved, memories);
  }

  private static boolean isMemory(MemoryClient client, String citation) {
    try {
      MemoryId id = MemoryId.of(citation);
      return client.recall().memories().get(id).id().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.NOT_FOUND);
      return false;
    }
  }

  double share() {
    return (double) resolved / count;
  }
}
