package dev.agentmemory.recall.memory;

import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;

/// The collections that a request reads, and their memories by the ids of the request.
///
/// @param workspaces which ids of a request a collection can have
/// @param all asked in this order, that of the account last
record ReadCollections(
    CuratedMemories.WorkspaceCollections workspaces, List<MemoryCollection> all) {

  ReadCollections {
    all = List.copyOf(all);
  }

  /// The memories that an id of a request can mean: one of each collection at most.
  List<StoredId> named(MemoryId asked) {
    return all.stream()
        .flatMap(memories ->
            workspaces
                .id(memories, asked)
                .filter(memories::has)
                .map(id -> new StoredId(memories, id))
                .stream())
        .toList();
  }

  /// The memory that answers show under an id.
  Optional<StoredId> shown(MemoryId id) {
    return named(id).stream()
        .filter(one -> workspaces.shown(one.memories(), one.id()).equals(id))
        .findFirst();
  }

  /// Follows the references of their memories.
  ReferenceWalk walk() {
    return new ReferenceWalk(all);
  }
}
