package dev.agentmemory.api.recall;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.MemoryId;
import java.util.List;

/// Stores and finds curated memories. All calls fail with [dev.agentmemory.types.MemoryException].
public interface Memories {

  /// Stores memories: all of them or none. Secrets in them are masked. References may name memories
  /// of the same call. A draft whose id is known with the same content changes nothing, also when
  /// the memory has been changed since.
  ///
  /// @param drafts 1 to [MemoryDraft#MAX_CALL]; all of scope account, or none
  /// @return the stored memories, in order, once they are durable
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming
  ///   `memories[<index>].<field>`; `CONFLICT` when an id is known with other content or was
  ///   deleted; `QUOTA_EXCEEDED` when the session's quota or the scope's cap does not allow it
  List<MemoryRecord> remember(List<MemoryDraft> drafts);

  /// Stores one memory.
  default MemoryRecord remember(MemoryDraft draft) {
    return remember(List.of(draft)).getFirst();
  }

  /// Reads a memory and counts the access; its use is that before this call. The id of a memory
  /// that was merged gives its survivor.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`; `CORRUPT_RECORD` when its checksum
  ///   does not match
  MemoryRecord get(MemoryId id);

  /// Changes a memory. Its former state is kept.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`, `INVALID_FIELD`, `QUOTA_EXCEEDED`
  MemoryRecord update(MemoryId id, MemoryUpdate update);

  /// The former states of a memory, the latest first.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  MemoryState.History history(MemoryId id);

  /// Lists memories, the latest first. Does not count as access.
  ///
  /// @param page [MemorySearch#DEFAULT_LIMIT] memories by default, [MemorySearch#MAX_LIMIT] at most
  MemoryPage list(MemoryFilter filter, PageRequest page);

  /// Finds memories and counts the access to those that are shown, unless `explain` is set; their
  /// use is that before this call.
  MemoryAnswer search(MemorySearch search);

  /// The memories that a memory refers to, the nearest first: [MemorySearch#MAX_LIMIT] at most, and
  /// the answer tells how many more there are. References to memories that are gone are passed
  /// over. Does not count as access.
  ///
  /// @param depth how many references are followed, 1 to [MemoryFilter.Neighbourhood#MAX_DEPTH]
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`, `INVALID_FIELD`
  RelatedMemory.Answer related(MemoryId id, int depth);

  /// Pins a memory, so that compaction and caps leave it alone and consolidation does nothing to it
  /// but make it long-term, or unpins it.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  MemoryRecord pin(MemoryId id, boolean pinned);

  /// Deletes memories and leaves a tombstone for each, so that their content does not come back.
  /// Deleting what does not exist deletes nothing.
  ///
  /// @param preview whether to tell only what would be deleted
  DeletionReport delete(Deletion deletion, boolean preview);

  /// How many memories there are. Does not count as access.
  default MemoryStats stats() {
    var counter = new MemoryStats.Counter();
    MemoryFilter all = MemoryFilter.builder().superseded(true).build();
    PageRequest request = PageRequest.of(MemorySearch.MAX_LIMIT);
    Page<MemoryRecord> page = counter.add(list(all, request));
    while (page.hasNext()) {
      page = counter.add(list(all, request.after(page)));
    }
    return counter.stats();
  }

  /// Builds the index for words of all memories again.
  ///
  /// @return how many memories it has
  long rebuildIndex();
}
