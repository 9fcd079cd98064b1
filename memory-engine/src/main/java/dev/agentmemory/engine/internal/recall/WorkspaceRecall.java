package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.SessionBudget;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.ChannelUsers;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.ConversationIndex;
import dev.agentmemory.recall.conversation.ConversationPorts;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.MemoryCounts;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.conversation.SecretMasks;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.memory.ReadCollections;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The memories, channels and conversations of one workspace.
final class WorkspaceRecall {

  private final RecallContext shared;
  private final ConversationContext context;
  private final ConversationIndex index;
  private final ScratchpadRows pads;
  private final MemoryCollection collection;

  /// @param words folder of the index of words
  WorkspaceRecall(RecallContext shared, ConversationContext context, Path words) {
    this.shared = shared;
    this.context = context;
    RecallConfig config = shared.services().config();
    this.index = new ConversationIndex(context, config.sessions().idleAfter());
    this.pads = new ScratchpadRows(context);
    this.collection =
        MemoryCollection.ofWorkspace(
            shared.services(),
            context.store(),
            context.owner().prefix(),
            context.mutex(),
            new MemoryPorts(
                new LuceneWords(words, shared.mapper()),
                ModelVectors.of(shared.embedding().embedder()),
                new SessionPorts(
                    channels(index),
                    SessionBudget.UNLIMITED,
                    index::overrides,
                    SessionCompaction.NONE)));
  }

  /// The workspace, where several share the store.
  Optional<WorkspaceName> name() {
    return context.owner().workspace();
  }

  MemoryCollection collection() {
    return collection;
  }

  /// @param ingest stores the events that begin and end conversations
  Recall recall(Ingest ingest) {
    var ports =
        new ConversationPorts(
            ingest,
            masks(shared),
            new Users(collection),
            this::counts,
            new NoQuota(),
            session -> {
              throw new IllegalStateException(session.value());
            });
    var channels = new RecordedChannels(context, index, ports);
    return new LocalRecall(
        curated(),
        channels,
        new DerivedConversations(context, index, pads, channels, ports),
        null,
        null,
        null);
  }

  CuratedMemories curated() {
    return new CuratedMemories(
        shared.services(), channels(index), ReadCollections.of(collection), shared.account());
  }

  static SecretMasks masks(RecallContext shared) {
    TextMask mask = shared.services().mask();
    return new SecretMasks(mask::apply, mask::apply);
  }

  MemoryCounts.OfSession counts(SessionId session) {
    SessionUsage usage = collection.usage(session);
    return new MemoryCounts.OfSession(usage.kinds(), usage.bytes(), usage.lastAccess());
  }

  /// No quota.
  record NoQuota() implements dev.agentmemory.recall.conversation.SessionQuota {
    @Override
    public void beforeWrite(SessionId session, long addedBytes) {}

    @Override
    public void check(SessionId session, long addedBytes) {}

    @Override
    public long limitBytes() {
      return 10 << 20;
    }
  }

  private record Users(MemoryCollection memories) implements ChannelUsers {

    @Override
    public Map<ChannelName, Instant> channels() {
      return memories.channels();
    }

    @Override
    public void rename(ChannelName from, ChannelName to) {
      memories.renameChannel(from, to);
    }
  }

  static SessionChannels channels(ConversationIndex index) {
    return new SessionChannels() {
      @Override
      public Optional<ChannelName> channel(SessionId session) {
        return index.channel(session);
      }

      @Override
      public ChannelName defaultChannel() {
        return index.defaultChannel();
      }
    };
  }
}
