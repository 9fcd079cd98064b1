package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.conversation.ChannelUsers;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.ConversationIndex;
import dev.agentmemory.recall.conversation.ConversationPorts;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.conversation.SessionQuota;
import dev.agentmemory.recall.exchange.MemoryExchange;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The memories of all workspaces that share a store. Whoever names no workspace reads all of them
/// and writes none.
///
/// @param context of all workspaces
/// @param visible what answers may have of the store
/// @param workspaces those that have memories
/// @param opened those of them that have been asked for
record JointRecall(
    SharedRecall shared,
    ConversationContext context,
    StoreReader visible,
    Supplier<List<WorkspaceRecall>> workspaces,
    Supplier<Collection<WorkspaceRecall>> opened) {

  Recall recall(Ingest ingest) {
    var index = index();
    var ports =
        new ConversationPorts(
            ingest,
            WorkspaceRecall.masks(shared),
            new NoUsers(),
            this::counts,
            new ReadQuota(shared.services().config().sessions().quotaBytes()),
            _ -> {
              throw ofOne();
            });
    var channels = new RecordedChannels(context, index, ports);
    CuratedMemories memories = curated();
    return new LocalRecall(
        new ReadOnlyMemories(memories, JointRecall::ofOne),
        memories,
        WorkspaceRecall.injections(shared, context, visible, memories),
        channels,
        new DerivedConversations(context, index, new ScratchpadRows(context), channels, ports),
        new RefusedUpkeep(),
        new JointExchange(() -> exchange(ingest)),
        _ -> {
          throw ofOne();
        });
  }

  private Exchange exchange(Ingest ingest) {
    return new MemoryExchange(
        shared.services(),
        context.owner(),
        workspaces.get().stream().map(one -> one.parts(ingest)).toList(),
        shared.account());
  }

  /// The refusal of what concerns one workspace.
  private static MemoryException ofOne() {
    return MemoryException.invalid(
        "memory-workspace",
        "is missing; workspaces share a store (multi_agent_mode = unified), and this call applies"
            + " to one of them");
  }

  private ConversationIndex index() {
    return new ConversationIndex(context, shared.services().config().sessions().idleAfter());
  }

  /// Lets a search of everything find the memories of all workspaces.
  SearchedMemories source() {
    return new SearchedMemories(this::curated);
  }

  private CuratedMemories curated() {
    return new CuratedMemories(
        shared.services(),
        WorkspaceRecall.channels(index()),
        new JointCollections(context, workspaces, opened, shared.account()),
        shared.account());
  }

  /// The sessions of a shared store name their workspace.
  private SessionUsage counts(SessionId session) {
    return workspaces.get().stream()
        .filter(one -> Optional.of(one.name()).equals(session.workspace()))
        .findFirst()
        .map(one -> one.counts(session.plain()))
        .orElse(SessionUsage.NONE);
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

  /// The scratchpads of all workspaces are not written.
  private record ReadQuota(long limitBytes) implements SessionQuota {

    @Override
    public void beforeWrite(SessionId session, long addedBytes) {
      throw ofOne();
    }

    @Override
    public void check(SessionId session, long addedBytes) {
      throw ofOne();
    }
  }

  private static final class RefusedUpkeep implements Consolidations {

    @Override
    public ConsolidationPreview preview() {
      throw ofOne();
    }

    @Override
    public Page<ConsolidationEntry> log(PageRequest page) {
      throw ofOne();
    }

    @Override
    public ConsolidationEntry undo(String id) {
      throw ofOne();
    }
  }

  /// Workspaces may be created between two calls.
  private record JointExchange(Supplier<Exchange> present) implements Exchange {

    @Override
    public void export(ExportRequest request, Consumer<String> lines) {
      present.get().export(request, lines);
    }

    @Override
    public ImportReport importLines(long firstLine, List<String> lines) {
      return present.get().importLines(firstLine, lines);
    }
  }
}
