package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.conversation.ChannelUsers;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.ConversationIndex;
import dev.agentmemory.recall.conversation.ConversationPorts;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.MemoryCounts;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.memory.ReadCollections;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The memories of all workspaces that share a store. Whoever names no workspace reads all of them
/// and writes none.
///
/// @param context of all workspaces
/// @param workspaces those that have memories
record JointRecall(
    RecallContext shared, ConversationContext context, Supplier<List<WorkspaceRecall>> workspaces) {

  Recall recall(Ingest ingest) {
    var index = index();
    var ports =
        new ConversationPorts(
            ingest,
            WorkspaceRecall.masks(shared),
            new NoUsers(),
            this::counts,
            new WorkspaceRecall.NoQuota(),
            session -> {
              throw new IllegalStateException(session.value());
            });
    var channels = new RecordedChannels(context, index, ports);
    return new LocalRecall(
        curated(),
        channels,
        new DerivedConversations(context, index, new ScratchpadRows(context), channels, ports),
        null,
        null,
        null);
  }

  private ConversationIndex index() {
    return new ConversationIndex(context, shared.services().config().sessions().idleAfter());
  }

  CuratedMemories curated() {
    return new CuratedMemories(
        shared.services(),
        WorkspaceRecall.channels(index()),
        new ReadAll(context, workspaces),
        shared.account());
  }

  /// The sessions of a shared store name their workspace.
  private MemoryCounts.OfSession counts(SessionId session) {
    return workspaces.get().stream()
        .filter(one -> one.name().equals(session.workspace()))
        .findFirst()
        .map(one -> one.counts(session.plain()))
        .orElseGet(() -> new MemoryCounts.OfSession(Map.of(), 0, Optional.empty()));
  }

  private record ReadAll(ConversationContext context, Supplier<List<WorkspaceRecall>> workspaces)
      implements ReadCollections {

    @Override
    public List<MemoryCollection> all() {
      return workspaces.get().stream().map(WorkspaceRecall::collection).toList();
    }

    @Override
    public MemoryCollection written() {
      context.owner().checkWritable();
      throw new AssertionError("all workspaces can be written");
    }
  }

  /// The channels of all workspaces are those of their rows and sessions.
  private record NoUsers() implements ChannelUsers {

    @Override
    public Map<ChannelName, Instant> channels() {
      return Map.of();
    }

    @Override
    public void rename(ChannelName from, ChannelName to) {}
  }
}
