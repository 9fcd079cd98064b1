package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.function.Supplier;

/// Memories that can be read only.
///
/// @param refusal of a write
record ReadOnlyMemories(Memories inner, Supplier<MemoryException> refusal) implements Memories {

  @Override
  public MemoryRecord get(MemoryId id) {
    return inner.get(id);
  }

  @Override
  public MemoryState.History history(MemoryId id) {
    return inner.history(id);
  }

  @Override
  public MemoryPage list(MemoryFilter filter, PageRequest page) {
    return inner.list(filter, page);
  }

  @Override
  public MemoryAnswer search(MemorySearch search) {
    return inner.search(search);
  }

  @Override
  public RelatedMemory.Answer related(MemoryId id, int depth) {
    return inner.related(id, depth);
  }

  @Override
  public List<MemoryRecord> remember(List<MemoryDraft> drafts) {
    throw refusal.get();
  }

  @Override
  public MemoryRecord update(MemoryId id, MemoryUpdate update) {
    throw refusal.get();
  }

  @Override
  public MemoryRecord pin(MemoryId id, boolean pinned) {
    throw refusal.get();
  }

  @Override
  public DeletionReport delete(Deletion deletion, boolean preview) {
    throw refusal.get();
  }

  @Override
  public long rebuildIndex() {
    return inner.rebuildIndex();
  }
}
