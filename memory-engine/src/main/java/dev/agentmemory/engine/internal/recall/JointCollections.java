package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The memories of all workspaces of a store, read by a caller that names none of them. Answers
/// show them under ids that name the workspace; those of the account keep theirs.
///
/// @param context of all workspaces
/// @param workspaces those that have memories
/// @param opened those of them that have been asked for
record JointCollections(
    ConversationContext context,
    Supplier<List<WorkspaceRecall>> workspaces,
    Supplier<Collection<WorkspaceRecall>> opened,
    AccountMemories account)
    implements CuratedMemories.WorkspaceCollections {

  @Override
  public List<MemoryCollection> all() {
    return workspaces.get().stream().map(WorkspaceRecall::collection).toList();
  }

  @Override
  public MemoryCollection written() {
    context.owner().checkWritable();
    throw new AssertionError("all workspaces can be written");
  }

  /// An id that names no workspace means the sessions of all of them that have it.
  @Override
  public Optional<SessionId> session(MemoryCollection memories, SessionId asked) {
    return canMean(memories, asked.workspace()) ? Optional.of(asked.plain()) : Optional.empty();
  }

  /// An id that names no workspace means the memories of all of them that have it.
  @Override
  public Optional<MemoryId> id(MemoryCollection memories, MemoryId asked) {
    return canMean(memories, asked.workspace()) ? Optional.of(asked.plain()) : Optional.empty();
  }

  private boolean canMean(MemoryCollection memories, Optional<WorkspaceName> named) {
    return named.isEmpty() || named.equals(of(memories).map(WorkspaceRecall::name));
  }

  @Override
  public MemoryId shown(MemoryCollection memories, MemoryId id) {
    return of(memories).map(workspace -> in(workspace.name(), id)).orElse(id);
  }

  /// An imported reference may name a workspace already; it leads nowhere.
  private static MemoryId in(WorkspaceName name, MemoryId id) {
    return id.workspace().isPresent() ? id : id.in(name);
  }

  @Override
  public MemoryRecord shown(MemoryCollection memories, MemoryRecord memory) {
    return of(memories).map(workspace -> in(workspace, memory)).orElse(memory);
  }

  private MemoryRecord in(WorkspaceRecall workspace, MemoryRecord memory) {
    WorkspaceName name = workspace.name();
    MemoryPlace place = memory.place();
    MemoryLinks links = memory.links();
    Validity validity = memory.validity();
    return new MemoryRecord(
        in(name, memory.id()),
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
            links.references().stream().map(id -> reference(workspace, id)).toList(),
            links.events().stream().map(event -> event.in(name)).toList(),
            links.grips().stream().map(grip -> grip.in(name)).toList()),
        new Validity(
            validity.created(),
            validity.updated(),
            validity.validFrom(),
            validity.supersededAt(),
            validity.supersededBy().map(id -> in(name, id))),
        memory.use(),
        memory.embedding(),
        memory.checksum());
  }

  /// A reference leads to a memory of the same workspace, else of the account.
  private MemoryId reference(WorkspaceRecall workspace, MemoryId id) {
    boolean ofAccount =
        !workspace.collection().has(id)
            && account.existing().map(memories -> memories.has(id)).orElse(false);
    return ofAccount ? id : in(workspace.name(), id);
  }

  @Override
  public SessionChannels channels(MemoryCollection memories, SessionChannels ofCaller) {
    return of(memories).map(WorkspaceRecall::channels).orElse(ofCaller);
  }

  /// Empty for the account.
  private Optional<WorkspaceRecall> of(MemoryCollection memories) {
    return opened.get().stream().filter(one -> one.collection().equals(memories)).findFirst();
  }
}
