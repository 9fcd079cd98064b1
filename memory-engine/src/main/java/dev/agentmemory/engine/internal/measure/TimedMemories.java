package dev.agentmemory.engine.internal.measure;

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
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.types.MemoryId;
import java.util.List;

/// Measures searches of memories.
record TimedMemories(Memories inner, EngineMeasures measures) implements Memories {

  @Override
  public List<MemoryRecord> remember(List<MemoryDraft> drafts) {
    return inner.remember(drafts);
  }

  @Override
  public MemoryRecord get(MemoryId id) {
    return inner.get(id);
  }

  @Override
  public MemoryRecord update(MemoryId id, MemoryUpdate update) {
    return inner.update(id, update);
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
    return measures.query(() -> inner.search(search));
  }

  @Override
  public RelatedMemory.Answer related(MemoryId id, int depth) {
    return inner.related(id, depth);
  }

  @Override
  public MemoryRecord pin(MemoryId id, boolean pinned) {
    return inner.pin(id, pinned);
  }

  @Override
  public DeletionReport delete(Deletion deletion, boolean preview) {
    return inner.delete(deletion, preview);
  }

  @Override
  public MemoryStats stats() {
    return inner.stats();
  }

  @Override
  public long rebuildIndex() {
    return inner.rebuildIndex();
  }
}
