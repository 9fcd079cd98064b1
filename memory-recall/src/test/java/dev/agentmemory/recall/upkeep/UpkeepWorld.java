package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.recall.ChannelAlias;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
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
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Memories of a workspace and the account with their upkeep, and a clock that tests set.
final class UpkeepWorld {

  static final Instant START = TestEvents.START;
  static final WorkspaceName NAME = new WorkspaceName("first");
  static final SessionId SESSION = new SessionId("s1");
  static final ChannelName GENERAL = new ChannelName("general");

  Instant now = START;
  RecallConfig config;
  final Random random = new Random(1);
  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  final HeapStore accountStore = new HeapStore(ZoneOffset.UTC);
  final Map<SessionId, Instant> ends = new HashMap<>();
  final Map<SessionId, SessionOverrides> overrides = new HashMap<>();
  final Map<ChannelName, ChannelName> renamed = new HashMap<>();
  final Set<SessionId> unextracted = new HashSet<>();
  final List<SessionId> due = new ArrayList<>();
  final Set<SessionId> left = new HashSet<>();
  final List<SessionId> extracted = new ArrayList<>();
  final List<SessionId> compacted = new ArrayList<>();
  long scratchpad;
  ReplacementRule supersession = ReplacementRule.BY_RULES;
  RunWriter.PartLimits parts = RunWriter.PartLimits.DEFAULT;

  MemoryCollection workspace;
  MemoryCollection account;
  CuratedMemories memories;
  MemoryUpkeep upkeep;
  QuotaCompaction compaction;

  UpkeepWorld(Map<String, String> settings) {
    config = RecallConfig.from(SettingReader.of(settings));
    open();
  }

  UpkeepWorld() {
    this(Map.of());
  }

  /// Begins with what is in the stores, as a new process does.
  void open() {
    RecallServices services = services();
    compaction =
        new QuotaCompaction(
            services,
            _ -> scratchpad,
            session -> Optional.ofNullable(overrides.get(session)),
            session -> upkeep.compact(session),
            compacted::add);
    workspace = workspace(services, store);
    account =
        MemoryCollection.ofAccount(
            services,
            accountStore,
            new MemoryPorts(new NoWords(), MemoryEmbedder.NONE, SessionPorts.NONE));
    memories = new CuratedMemories(services, SessionChannels.NONE, workspace, Optional.of(account));
    upkeep =
        new MemoryUpkeep(
            services,
            NAME,
            workspace,
            AccountMemories.of(Optional.of(account)),
            new UpkeepPorts(
                new Ends(),
                new Extraction(),
                (one, other, cosine) -> supersession.replaces(one, other, cosine)),
            parts);
  }

  private final class Ends implements ConversationEnds {

    @Override
    public Optional<Instant> memoriesEnd(SessionId session, Instant lastUse) {
      return Optional.ofNullable(ends.get(session));
    }

    @Override
    public List<SessionId> due(Optional<SessionId> after, int limit) {
      return after.isEmpty() ? List.copyOf(due) : List.of();
    }
  }

  private final class Extraction implements LastExtraction {

    @Override
    public boolean extract(SessionId session) {
      extracted.add(session);
      return !unextracted.contains(session);
    }

    @Override
    public boolean isLeft(SessionId session) {
      return left.contains(session);
    }
  }

  /// The memories of another workspace.
  MemoryCollection another() {
    return workspace(services(), new HeapStore(ZoneOffset.UTC));
  }

  private MemoryCollection workspace(RecallServices services, MemoryStore over) {
    var sessions =
        new SessionPorts(
            new RenamedChannels(),
            quota(),
            session -> Optional.ofNullable(overrides.get(session)),
            compaction);
    return MemoryCollection.ofWorkspace(
        services,
        over,
        "",
        new Mutex(),
        new MemoryPorts(new NoWords(), MemoryEmbedder.NONE, sessions));
  }

  private final class RenamedChannels implements SessionChannels {

    @Override
    public Optional<ChannelName> channel(SessionId session) {
      return Optional.empty();
    }

    @Override
    public ChannelName defaultChannel() {
      return GENERAL;
    }

    @Override
    public ChannelName presentName(ChannelName channel) {
      return renamed.getOrDefault(channel, channel);
    }

    @Override
    public Set<ChannelAlias> allNames(ChannelName channel) {
      ChannelName present = presentName(channel);
      Set<ChannelAlias> names = new HashSet<>(Set.of(ChannelAlias.present(present)));
      renamed.forEach((from, to) -> {
        if (to.equals(present)) {
          names.add(ChannelAlias.present(from));
        }
      });
      return names;
    }
  }

  ByteQuota quota() {
    return new ByteQuota(config.sessions().quotaBytes(), _ -> scratchpad);
  }

  RecallServices services() {
    var system = new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
    return new RecallServices(system, random, config, Duration.ofMinutes(5), TextMask.NONE);
  }

  /// Finds nothing. Tells when a commit is done.
  private static final class NoWords implements WordIndex {

    private long revision;

    @Override
    public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
      return List.of();
    }

    @Override
    public void put(List<Doc> docs) {}

    @Override
    public void remove(Collection<MemoryId> ids) {}

    @Override
    public void clear() {}

    @Override
    public long revision() {
      return revision;
    }

    @Override
    public void commit(long made) {
      revision = made;
    }

    @Override
    public void close() {}
  }

  static MemoryDraft.Builder draft(String text) {
    return MemoryDraft.builder(MemoryContent.of(text));
  }

  MemoryRecord remember(String text) {
    return remember(draft(text));
  }

  MemoryRecord remember(MemoryDraft.Builder draft) {
    return memories.remember(draft.build());
  }

  /// Gives a memory a vector whose cosine to the first axis is that.
  void point(MemoryId id, double cosine) {
    float[] values = new float[64];
    values[0] = (float) cosine;
    values[1] = (float) Math.sqrt(1 - cosine * cosine);
    workspace.commit(new MemoryBatch().vector(id, new MemoryVector("test-model", values)));
  }

  /// Reads a memory that many times.
  void read(MemoryId id, int times) {
    for (int i = 0; i < times; i++) {
      memories.get(id);
    }
  }

  boolean has(MemoryId id) {
    return workspace.table().entry(id).isPresent();
  }

  /// Changes the first row of the workspace whose key begins with a prefix, as a damaged disk does.
  void damage(String prefix, UnaryOperator<String> change) {
    StoredRecord row = store.records().records(prefix, Optional.empty(), 1).getFirst();
    store.commit(
        Commit.of(new Change.PutRecord(new StoredRecord(row.key(), change.apply(row.value())))));
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /// The id of the last run.
  String lastRun() {
    return upkeep.log(PageRequest.of(1)).items().getFirst().id();
  }

  /// All rows of memories but those of their use.
  static List<StoredRecord> digest(MemoryStore store) {
    List<StoredRecord> rows = new ArrayList<>();
    for (String kind :
        List.of(
            "memory:",
            "history:",
            "vector:",
            "merged:",
            "tombstone:",
            "digest:",
            "digest_times:")) {
      rows.addAll(store.records().records(kind, Optional.empty(), 1_000_000));
    }
    return rows;
  }

  List<StoredRecord> digest() {
    List<StoredRecord> all = new ArrayList<>(digest(store));
    all.addAll(digest(accountStore));
    return all;
  }

  /// Rows of the log of the workspace.
  long logRows() {
    return store.records().records("run", Optional.empty(), 1_000_000).size();
  }
}
