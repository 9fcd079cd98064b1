package dev.agentmemory.recall.memory;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionBudget;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The memories of a workspace and the account over stores in the heap, with a clock that tests
/// set.
final class RecallWorld {

  static final Instant START = TestEvents.START;
  static final SessionId SESSION = new SessionId("s1");
  static final SessionId OTHER_SESSION = new SessionId("s2");
  static final ChannelName GENERAL = new ChannelName("general");

  /// What the mask of these tests takes for a secret.
  static final String SECRET = "hunter2";

  Instant now = START;
  private final Random random = new Random(1);
  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  final HeapStore accountStore = new HeapStore(ZoneOffset.UTC);
  final HeapWords words = new HeapWords();
  final HeapWords accountWords = new HeapWords();
  final HeapEmbedder embedder = new HeapEmbedder();
  final Map<SessionId, ChannelName> channels = new HashMap<>();
  final Map<ChannelName, ChannelName> renamed = new HashMap<>();
  Supplier<Predicate<ChannelName>> existing = () -> _ -> true;
  final Map<SessionId, SessionOverrides> overrides = new HashMap<>();
  final Mutex lock = new Mutex();
  SessionBudget budget = SessionBudget.UNLIMITED;
  SessionCompaction compaction = SessionCompaction.NONE;
  RecallConfig config = RecallConfig.DEFAULT;
  MemoryCollection workspace = workspace("");
  MemoryCollection account = account();
  CuratedMemories memories = memories();

  static RecallWorld with(Map<String, String> settings) {
    var world = new RecallWorld();
    world.config = RecallConfig.from(SettingReader.of(settings));
    world.reopen();
    return world;
  }

  /// Begins with what is in the stores, as a new process does.
  void reopen() {
    workspace = workspace("");
    account = account();
    memories = memories();
  }

  RecallServices services() {
    var system = new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
    return new RecallServices(system, random, config, Duration.ofMinutes(5), new Mask());
  }

  MemoryCollection workspace(String owner) {
    return workspace(store, owner);
  }

  MemoryCollection workspace(MemoryStore over, String owner) {
    var sessions =
        new SessionPorts(
            sessionChannels(),
            (session, bytes, added) -> budget.check(session, bytes, added),
            session -> Optional.ofNullable(overrides.get(session)),
            (session, bytes, added) -> compaction.beforeWrite(session, bytes, added));
    return MemoryCollection.ofWorkspace(
        services(), over, owner, lock, new MemoryPorts(words, embedder, sessions));
  }

  private MemoryCollection account() {
    return MemoryCollection.ofAccount(
        services(),
        accountStore,
        new MemoryPorts(accountWords, MemoryEmbedder.NONE, SessionPorts.NONE));
  }

  private CuratedMemories memories() {
    return new CuratedMemories(services(), sessionChannels(), workspace, Optional.of(account));
  }

  SessionChannels sessionChannels() {
    return new SessionChannels() {
      @Override
      public Optional<ChannelName> channel(SessionId session) {
        return Optional.ofNullable(channels.get(session));
      }

      @Override
      public ChannelName defaultChannel() {
        return GENERAL;
      }

      @Override
      public Predicate<ChannelName> existing() {
        return existing.get();
      }

      @Override
      public ChannelName presentName(ChannelName channel) {
        return renamed.getOrDefault(channel, channel);
      }
    };
  }

  /// Masks one word, and values that are named `password`.
  private static final class Mask implements TextMask {

    @Override
    public String apply(String text) {
      return text.replace(SECRET, "[masked]");
    }

    @Override
    public String apply(String name, String value) {
      return name.equals("password") ? "[masked]" : apply(value);
    }
  }

  static MemoryDraft.Builder draft(String text) {
    return MemoryDraft.builder(MemoryContent.of(text));
  }

  /// An id of [#START].
  static MemoryId id(long tail) {
    return new MemoryId(TestEvents.id(START, tail));
  }

  static Tag tag(String text) {
    return Tag.parse("tags", text);
  }

  MemoryRecord remember(String text) {
    return memories.remember(MemoryDraft.of(text));
  }

  MemoryRecord remember(MemoryDraft.Builder draft) {
    return memories.remember(draft.build());
  }

  List<MemoryHit> search(MemorySearch search) {
    return memories.search(search).hits();
  }

  List<String> texts(MemorySearch search) {
    return search(search).stream().map(hit -> hit.memory().content().text()).toList();
  }

  List<String> texts(String query) {
    return texts(MemorySearch.of(query));
  }

  MemoryRecord update(MemoryId id, UnaryOperator<MemoryUpdate> update) {
    return memories.update(id, update.apply(MemoryUpdate.NONE));
  }

  /// Writes the supersession of a memory by another one, as upkeep does.
  void supersede(MemoryId old, MemoryId by) {
    try (var _ = workspace.exclusive()) {
      MemoryRecord former = workspace.get(old);
      workspace.commit(
          new MemoryBatch()
              .change(
                  former,
                  former.withValidity(former.validity().superseded(now, by)),
                  now,
                  "supersession"));
    }
  }

  void embedAll() {
    int embedded;
    do {
      embedded = workspace.embedPending();
    } while (embedded > 0);
  }

  /// Changes a row of the store, as a damaged disk does.
  void damage(String key, UnaryOperator<String> change) {
    String value = store.records().record(key).orElseThrow();
    store.commit(Commit.of(new Change.PutRecord(new StoredRecord(key, change.apply(value)))));
  }

  void damage(MemoryId id) {
    damage("memory:" + id.value(), row -> row.replace("\"importance\":0.5", "\"importance\":0.6"));
  }
}
