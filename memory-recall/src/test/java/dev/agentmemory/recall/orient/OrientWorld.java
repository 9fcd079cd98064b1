package dev.agentmemory.recall.orient;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.ChannelUsers;
import dev.agentmemory.recall.conversation.ConversationCaches;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.ConversationIndex;
import dev.agentmemory.recall.conversation.ConversationPorts;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.conversation.RecordOwner;
import dev.agentmemory.recall.conversation.RecordedChannels;
import dev.agentmemory.recall.conversation.ScratchpadRows;
import dev.agentmemory.recall.conversation.SecretMasks;
import dev.agentmemory.recall.conversation.SessionQuota;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.HeapWords;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// Memories and conversations over stores in the heap, and what was worked on last as a list.
final class OrientWorld {

  static final Instant START = TestEvents.START;
  static final SessionId SESSION = new SessionId("s1");
  static final ChannelName GENERAL = new ChannelName("general");
  static final Viewer IN_SESSION = new Viewer(Optional.of(SESSION), Optional.empty());

  Instant now = START;
  ToIntFunction<String> tokens = text -> (text.length() + 3) / 4;
  OrientationRefiner refiner = OrientationRefiner.NONE;
  final List<RecentWork.Passage> work = new ArrayList<>();
  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  final HeapStore accountStore = new HeapStore(ZoneOffset.UTC);
  private final Random random = new Random(1);
  private final SystemServices system =
      new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
  private final Mutex lock = new Mutex();
  private final ConversationIndex index;
  final DerivedConversations conversations;
  MemoryCollection workspace = workspace();
  MemoryCollection account = account();
  CuratedMemories memories = memories();

  OrientWorld() {
    var context =
        new ConversationContext(
            system, store, store, RecordOwner.only(), lock, new ConversationCaches());
    index = new ConversationIndex(context, Duration.ofHours(24));
    var ports =
        new ConversationPorts(
            events -> store.submit(Commit.append(events)),
            new SecretMasks(text -> text, (_, value) -> value),
            new NoChannels(),
            _ -> SessionUsage.NONE,
            new NoQuota(),
            _ -> new CompactionReport(0, 0, 0, 0, Duration.ZERO));
    conversations =
        new DerivedConversations(
            context,
            index,
            new ScratchpadRows(context),
            new RecordedChannels(context, index, ports),
            ports);
  }

  private static final class NoChannels implements ChannelUsers {

    @Override
    public Map<ChannelName, Instant> channels() {
      return Map.of();
    }

    @Override
    public void rename(ChannelName from, ChannelName to) {}
  }

  private static final class NoQuota implements SessionQuota {

    @Override
    public void beforeWrite(SessionId session, long addedBytes) {}

    @Override
    public void check(SessionId session, long addedBytes) {}

    @Override
    public long limitBytes() {
      return Long.MAX_VALUE;
    }
  }

  private RecallServices services() {
    return new RecallServices(
        system, random, RecallConfig.DEFAULT, Duration.ofMinutes(5), TextMask.NONE);
  }

  private MemoryCollection workspace() {
    return MemoryCollection.ofWorkspace(services(), store, "", lock, ports());
  }

  private MemoryCollection account() {
    return MemoryCollection.ofAccount(services(), accountStore, ports());
  }

  private static MemoryPorts ports() {
    return new MemoryPorts(new HeapWords(), MemoryEmbedder.NONE, SessionPorts.NONE);
  }

  private CuratedMemories memories() {
    return new CuratedMemories(services(), channels(), workspace, Optional.of(account));
  }

  /// Begins with what is in the stores, as a new process does.
  void reopen() {
    workspace = workspace();
    account = account();
    memories = memories();
  }

  private SessionChannels channels() {
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
        return index.existingChannels();
      }
    };
  }

  Orientation orientation() {
    return new Orientation(
        () -> now,
        memories,
        new OrientationPorts(
            Optional.of(new WorkspaceName("alpha")),
            ZoneOffset.UTC,
            conversations,
            channels(),
            limit -> work.stream().limit(limit).toList(),
            text -> tokens.applyAsInt(text),
            refiner));
  }

  OrientationDocument orient(String query, int budget) {
    return orientation().orient(new OrientationRequest(query, IN_SESSION, budget));
  }

  String text(String query, int budget) {
    return orient(query, budget).markdown();
  }

  static MemoryDraft.Builder draft(String text) {
    return MemoryDraft.builder(MemoryContent.of(text));
  }

  MemoryRecord remember(MemoryDraft.Builder draft) {
    return memories.remember(draft.build());
  }

  MemoryRecord pinned(String text) {
    return memories.pin(memories.remember(MemoryDraft.of(text)).id(), /* pinned= */ true);
  }

  void append(Event... events) {
    store.commit(Commit.append(List.of(events)));
  }

  /// Writes the supersession of a memory by another one, as upkeep does.
  void supersede(MemoryId old, MemoryId by) {
    MemoryRecord former = workspace.get(old);
    workspace.commit(
        new MemoryBatch()
            .change(
                former,
                former.withValidity(former.validity().superseded(now, by)),
                now,
                "supersession"));
  }

  /// Changes a row of the store, as a damaged disk does.
  void damage(MemoryId id) {
    String key = "memory:" + id.value();
    String value = store.records().record(key).orElseThrow();
    putRecord(key, value.replace("\"importance\":0.5", "\"importance\":0.6"));
  }

  void putRecord(String key, String value) {
    store.commit(Commit.of(new Change.PutRecord(new StoredRecord(key, value))));
  }

  /// Adds a segment before those that are there, with a grip for each statement.
  RecentWork.Passage worked(String session, String title, String... statements) {
    int number = work.size() + 1;
    List<RecentWork.Statement> points = new ArrayList<>();
    for (String statement : statements) {
      points.add(new RecentWork.Statement(statement, List.of(grip(number * 100L + points.size()))));
    }
    LocalDate day = LocalDate.of(2026, 1, 1).plusDays(number % 28);
    var passage =
        new RecentWork.Passage(
            NodeId.segment(day, TestEvents.id(START, number)),
            Optional.of(new SessionId(session)),
            day,
            title,
            points);
    work.addFirst(passage);
    return passage;
  }

  static GripId grip(long tail) {
    return GripId.of(START, TestEvents.id(START, tail));
  }
}
