package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The memories of all workspaces of a store, under ids that name the workspace; those of the
/// account keep theirs. They can be read only.
///
/// @param inner finds memories by their ids in the store
/// @param owner the workspace of a memory; empty for one of the account
/// @param refusal of a write
record TaggedMemories(
    Memories inner,
    Function<MemoryId, Optional<WorkspaceName>> owner,
    Supplier<MemoryException> refusal)
    implements Memories {

  @Override
  public MemoryRecord get(MemoryId id) {
    return tagged(inner.get(id.plain()));
  }

  @Override
  public MemoryState.History history(MemoryId id) {
    MemoryState.History found = inner.history(id.plain());
    return new MemoryState.History(
        found.states().stream()
            .map(state -> new MemoryState(tagged(state.memory()), state.until(), state.reason()))
            .toList(),
        found.skipped());
  }

  @Override
  public MemoryPage list(MemoryFilter filter, PageRequest page) {
    MemoryPage found = inner.list(inStore(filter), page);
    return new MemoryPage(
        new Page<>(found.page().items().stream().map(this::tagged).toList(), found.page().token()),
        found.skipped());
  }

  @Override
  public MemoryAnswer search(MemorySearch search) {
    return tagged(inner.search(search.withFilter(inStore(search.filter()))));
  }

  /// References begin at memories that a list or a search has named.
  private static MemoryFilter inStore(MemoryFilter filter) {
    return filter
        .near()
        .map(near ->
            new MemoryFilter.Neighbourhood(
                near.roots().stream().map(MemoryId::plain).collect(Collectors.toSet()),
                near.depth()))
        .map(filter::withNear)
        .orElse(filter);
  }

  MemoryAnswer tagged(MemoryAnswer answer) {
    return new MemoryAnswer(
        answer.hits().stream().map(this::tagged).toList(), answer.textOnly(), answer.skipped());
  }

  private MemoryHit tagged(MemoryHit hit) {
    return new MemoryHit(
        tagged(hit.memory()),
        hit.relevance(),
        hit.why(),
        tagged(hit.replaced()),
        tagged(hit.duplicates()));
  }

  @Override
  public RelatedMemory.Answer related(MemoryId id, int depth) {
    RelatedMemory.Answer found = inner.related(id.plain(), depth);
    return new RelatedMemory.Answer(
        found.memories().stream()
            .map(one -> new RelatedMemory(tagged(one.memory()), one.depth()))
            .toList(),
        found.skipped());
  }

  private List<MemoryId> tagged(List<MemoryId> ids) {
    return ids.stream().map(this::tagged).toList();
  }

  private MemoryId tagged(MemoryId id) {
    return owner.apply(id).map(id::in).orElse(id);
  }

  private MemoryRecord tagged(MemoryRecord memory) {
    return owner.apply(memory.id()).map(name -> in(memory, name)).orElse(memory);
  }

  private MemoryRecord in(MemoryRecord memory, WorkspaceName name) {
    MemoryPlace place = memory.place();
    MemoryLinks links = memory.links();
    Validity validity = memory.validity();
    return new MemoryRecord(
        memory.id().in(name),
        new MemoryPlace(
            place.scope(), place.channel(), place.session().map(session -> session.in(name))),
        memory.lifetime(),
        memory.kind(),
        memory.source(),
        memory.content(),
        memory.importance(),
        memory.pinned(),
        memory.tags(),
        new MemoryLinks(
            tagged(links.references()),
            links.events().stream().map(event -> event.in(name)).toList(),
            links.grips().stream().map(grip -> grip.in(name)).toList()),
        new Validity(
            validity.created(),
            validity.updated(),
            validity.validFrom(),
            validity.supersededAt(),
            validity.supersededBy().map(this::tagged)),
        memory.use(),
        memory.embedding(),
        memory.checksum());
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
