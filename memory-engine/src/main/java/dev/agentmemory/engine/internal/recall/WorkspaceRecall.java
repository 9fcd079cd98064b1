package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.recall.ChannelAlias;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.ChannelUsers;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.ConversationIndex;
import dev.agentmemory.recall.conversation.ConversationPorts;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.conversation.SecretMasks;
import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.recall.derive.StatementRefiner;
import dev.agentmemory.recall.exchange.ExchangeWorkspace;
import dev.agentmemory.recall.exchange.MemoryExchange;
import dev.agentmemory.recall.injection.RecordedInjections;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.orient.Orientation;
import dev.agentmemory.recall.orient.OrientationPorts;
import dev.agentmemory.recall.orient.OrientationRefiner;
import dev.agentmemory.recall.orient.RecentWork;
import dev.agentmemory.recall.upkeep.ConversationEnds;
import dev.agentmemory.recall.upkeep.LastExtraction;
import dev.agentmemory.recall.upkeep.MemoryAndScratchpadQuota;
import dev.agentmemory.recall.upkeep.MemoryUpkeep;
import dev.agentmemory.recall.upkeep.QuotaCompaction;
import dev.agentmemory.recall.upkeep.ReplacementRule;
import dev.agentmemory.recall.upkeep.UpkeepPorts;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The memories, channels and conversations of one workspace.
final class WorkspaceRecall {

  private final SharedRecall shared;
  private final WorkspaceName name;
  private final ConversationContext context;
  private final ConversationIndex index;
  private final ScratchpadRows pads;
  private final QuotaCompaction compaction;
  private final ByteQuota quota;
  private final MemoryCollection collection;
  private final MemoryUpkeep upkeep;
  private final StoreReader visible;
  private final RecentWork work;
  private final OrientationRefiner refiner;
  private final StatementRefiner statements;

  /// @param words folder of the index of words
  /// @param extraction extracts from a conversation that has ended
  /// @param visible what answers may have of the store, as the workspace sees it
  WorkspaceRecall(
      SharedRecall shared,
      WorkspaceName name,
      ConversationContext context,
      Path words,
      LastExtraction extraction,
      StoreReader visible,
      RecentWork work,
      OrientationRefiner refiner,
      StatementRefiner statements) {
    this.shared = shared;
    this.name = name;
    this.context = context;
    this.visible = visible;
    this.work = work;
    this.refiner = refiner;
    this.statements = statements;
    RecallConfig config = shared.services().config();
    this.index = new ConversationIndex(context, config.sessions().idleAfter());
    this.pads = new ScratchpadRows(context);
    this.quota = new ByteQuota(config.sessions().quotaBytes(), pads::bytes);
    this.compaction =
        new QuotaCompaction(
            shared.services(),
            pads::bytes,
            index::overrides,
            this::compact,
            index::recordCompaction);
    this.collection =
        MemoryCollection.ofWorkspace(
            shared.services(),
            context.store(),
            context.owner().prefix(),
            context.mutex(),
            new MemoryPorts(
                new LuceneWords(words, shared.mapper()),
                ModelVectors.of(shared.embedding().embedder(), shared.mapper()),
                new SessionPorts(
                    channels(index, ExistingChannels::new), quota, index::overrides, compaction)));
    this.upkeep =
        new MemoryUpkeep(
            shared.services(),
            name,
            collection,
            shared.account(),
            new UpkeepPorts(new Ends(index), extraction, ReplacementRule.BY_RULES));
  }

  /// Memories need the compaction before there are any to compact.
  private CompactionReport compact(SessionId session) {
    return upkeep.compact(session);
  }

  /// Memories of an earlier version may name a channel that nothing else knows. For one call.
  private final class ExistingChannels implements Predicate<ChannelName> {

    private final Predicate<ChannelName> known = index.existingChannels();
    private Optional<Set<ChannelName>> ofMemories = Optional.empty();

    @Override
    public boolean test(ChannelName channel) {
      return known.test(channel) || ofMemories().contains(channel);
    }

    private Set<ChannelName> ofMemories() {
      Set<ChannelName> names = ofMemories.orElseGet(() -> collection.channels().keySet());
      ofMemories = Optional.of(names);
      return names;
    }
  }

  WorkspaceName name() {
    return name;
  }

  MemoryCollection collection() {
    return collection;
  }

  SessionChannels channels() {
    return channels(index);
  }

  MemoryUpkeep upkeep() {
    return upkeep;
  }

  /// Extracts memories from the workspace's events.
  MemoryExtraction extraction() {
    return new MemoryExtraction(
        context.reader(), context.store().records(), collection, statements);
  }

  /// @param ingest stores the events that begin and end conversations
  Recall recall(Ingest ingest) {
    ExchangeWorkspace parts = parts(ingest);
    CuratedMemories memories = curated();
    var orientation =
        new Orientation(
            shared.services().system().clock(),
            memories,
            new OrientationPorts(
                Optional.of(name),
                context.store().zone(),
                parts.conversations(),
                channels(index, ExistingChannels::new),
                work,
                shared.tokens()::count,
                refiner));
    return new LocalRecall(
        memories,
        memories,
        injections(shared, context, visible, memories),
        parts.channels(),
        parts.conversations(),
        upkeep,
        new MemoryExchange(shared.services(), context.owner(), List.of(parts), shared.account()),
        orientation::orient);
  }

  static RecordedInjections injections(
      SharedRecall shared,
      ConversationContext context,
      StoreReader visible,
      CuratedMemories memories) {
    return new RecordedInjections(
        context,
        visible,
        new RecordedInjections.CitedMemories(
            memories::has,
            id -> shared.account().existing().filter(account -> account.has(id)).isPresent()),
        shared.services().mask(),
        shared.tokens()::count);
  }

  /// What an export of the workspace is made of.
  ExchangeWorkspace parts(Ingest ingest) {
    var ports =
        new ConversationPorts(
            ingest,
            masks(shared),
            new Users(collection),
            this::counts,
            new MemoryAndScratchpadQuota(quota, compaction, collection::bytes),
            upkeep);
    var channels = new RecordedChannels(context, index, ports);
    var conversations = new DerivedConversations(context, index, pads, channels, ports);
    return new ExchangeWorkspace(name, collection, channels, conversations, pads);
  }

  CuratedMemories curated() {
    return new CuratedMemories(
        shared.services(),
        channels(index),
        CuratedMemories.WorkspaceCollections.of(collection),
        shared.account());
  }

  SessionUsage counts(SessionId session) {
    return collection.usage(session);
  }

  static SecretMasks masks(SharedRecall shared) {
    TextMask mask = shared.services().mask();
    return new SecretMasks(mask::apply, mask::apply);
  }

  static SessionChannels channels(ConversationIndex index) {
    return channels(index, () -> _ -> true);
  }

  private static SessionChannels channels(
      ConversationIndex index, Supplier<Predicate<ChannelName>> existing) {
    return new SessionChannels() {
      @Override
      public Optional<ChannelName> channel(SessionId session) {
        return index.channel(session);
      }

      @Override
      public ChannelName defaultChannel() {
        return index.defaultChannel();
      }

      @Override
      public Predicate<ChannelName> existing() {
        return existing.get();
      }

      @Override
      public ChannelName presentName(ChannelName channel) {
        return index.presentName(channel);
      }

      @Override
      public Set<ChannelAlias> allNames(ChannelName channel) {
        return index.allNames(channel);
      }
    };
  }

  private record Ends(ConversationIndex index) implements ConversationEnds {

    @Override
    public Optional<Instant> memoriesEnd(SessionId session, Instant lastUse) {
      return index.memoriesEnd(session, lastUse);
    }

    @Override
    public List<SessionId> due(Optional<SessionId> after, int limit) {
      return index.due(after, limit);
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
}
