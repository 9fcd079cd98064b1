package dev.agentmemory.recall.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.ChannelAlias;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionBudget;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.SessionDecay;
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
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.HeapWords;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A workspace with memories, channels, conversations and scratchpads, and an account, over stores
/// in the heap.
final class ExchangeWorld {

  /// What the mask of these tests takes for a secret.
  static final String SECRET = "hunter2";

  static final ExportRequest ALL = new ExportRequest(Optional.empty(), Optional.empty(), false);
  static final ExportRequest REDACTED = new ExportRequest(Optional.empty(), Optional.empty(), true);

  /// A memory as a person would write it, without a checksum.
  private static final String PLAIN =
      "{'record':'memory','schema_version':1,'id':'01KG7Z5P0X0000000000000001','scope':'workspace',"
          + "'lifetime':'short_term','kind':'finding','source':'user','text':'The port is 8080',"
          + "'importance':0.5,'pinned':false,'tags':['net'],'references':[],'evidence_events':[],"
          + "'evidence_grips':[],'created_ms':1769783400000,'updated_ms':1769783400000,"
          + "'valid_from_ms':1769783400000}";

  /// The id of [#plain].
  static final MemoryId ID = MemoryId.of("01KG7Z5P0X0000000000000001");

  Instant now = TestEvents.START;
  final HeapStore store;
  final HeapStore accountStore;
  final MemoryCollection workspace;
  final MemoryCollection account;
  final CuratedMemories memories;
  final RecordedChannels channels;
  final DerivedConversations conversations;
  final MemoryExchange exchange;
  final ExchangeWorkspace part;
  SessionBudget budget = SessionBudget.UNLIMITED;
  SessionCompaction compaction = SessionCompaction.NONE;
  private final Random random;

  ExchangeWorld() {
    this(1);
  }

  /// @param seed of the ids that are drawn
  ExchangeWorld(long seed) {
    this(seed, Map.of(), LineReading.CURRENT);
  }

  ExchangeWorld(long seed, Map<String, String> settings, LineReading reading) {
    this(
        RecordOwner.only(),
        new HeapStore(ZoneOffset.UTC),
        new HeapStore(ZoneOffset.UTC),
        new WorkspaceName("default"),
        seed,
        settings,
        reading);
  }

  /// A workspace of a store that several share.
  ExchangeWorld(HeapStore store, HeapStore accountStore, String name) {
    this(
        RecordOwner.of(new WorkspaceName(name)),
        store,
        accountStore,
        new WorkspaceName(name),
        name.hashCode(),
        Map.of(),
        LineReading.CURRENT);
  }

  private ExchangeWorld(
      RecordOwner owner,
      HeapStore store,
      HeapStore accountStore,
      WorkspaceName name,
      long seed,
      Map<String, String> settings,
      LineReading reading) {
    this.store = store;
    this.accountStore = accountStore;
    this.random = new Random(seed);
    var mutex = new Mutex();
    var context =
        new ConversationContext(
            SystemServices.of(() -> now), store, store, owner, mutex, new ConversationCaches());
    var index = new ConversationIndex(context, Duration.ofHours(24));
    RecallServices services = services(RecallConfig.from(SettingReader.of(settings)));
    var channelsOfSessions = new IndexedChannels(index);
    var sessions =
        new SessionPorts(
            channelsOfSessions,
            (session, bytes, added) -> budget.check(session, bytes, added),
            SessionDecay.NONE,
            (session, bytes, added) -> compaction.beforeWrite(session, bytes, added));
    this.workspace =
        MemoryCollection.ofWorkspace(
            services,
            store,
            owner.prefix(),
            mutex,
            new MemoryPorts(new HeapWords(), MemoryEmbedder.NONE, sessions));
    this.account =
        MemoryCollection.ofAccount(
            services,
            accountStore,
            new MemoryPorts(new HeapWords(), MemoryEmbedder.NONE, SessionPorts.NONE));
    this.memories =
        new CuratedMemories(services, channelsOfSessions, workspace, Optional.of(account));
    ConversationPorts ports = ports();
    var pads = new ScratchpadRows(context);
    this.channels = new RecordedChannels(context, index, ports);
    this.conversations = new DerivedConversations(context, index, pads, channels, ports);
    this.part = new ExchangeWorkspace(name, workspace, channels, conversations, pads);
    this.exchange =
        new MemoryExchange(
            services, owner, List.of(part), AccountMemories.of(Optional.of(account)), reading);
  }

  /// The exchange of a caller who reads several workspaces of a store.
  MemoryExchange joint(ExchangeWorld other) {
    return new MemoryExchange(
        services(RecallConfig.DEFAULT),
        RecordOwner.ofAll(),
        List.of(part, other.part),
        AccountMemories.of(Optional.of(account)));
  }

  private RecallServices services(RecallConfig config) {
    var system = new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
    TextMask mask = text -> text.replace(SECRET, "[masked]");
    return new RecallServices(system, random, config, Duration.ofMinutes(5), mask);
  }

  private ConversationPorts ports() {
    UnaryOperator<String> mask = text -> text.replace(SECRET, "[masked]");
    return new ConversationPorts(
        events -> store.submit(Commit.append(events)),
        new SecretMasks(mask, (_, value) -> mask.apply(value)),
        new ChannelUsers() {
          @Override
          public Map<ChannelName, Instant> channels() {
            return workspace.channels();
          }

          @Override
          public void rename(ChannelName from, ChannelName to) {
            workspace.renameChannel(from, to);
          }
        },
        _ -> SessionUsage.NONE,
        new NoQuota(),
        _ -> new CompactionReport(0, 0, 0, 0, Duration.ZERO));
  }

  private record IndexedChannels(ConversationIndex index) implements SessionChannels {

    @Override
    public Optional<ChannelName> channel(SessionId session) {
      return index.channel(session);
    }

    @Override
    public ChannelName defaultChannel() {
      return index.defaultChannel();
    }

    @Override
    public ChannelName presentName(ChannelName channel) {
      return index.presentName(channel);
    }

    @Override
    public Set<ChannelAlias> allNames(ChannelName channel) {
      return index.allNames(channel);
    }
  }

  private record NoQuota() implements SessionQuota {

    @Override
    public void beforeWrite(SessionId session, long addedBytes) {}

    @Override
    public void check(SessionId session, long addedBytes) {}

    @Override
    public long limitBytes() {
      return Long.MAX_VALUE;
    }
  }

  /// The line of a memory whose author is a person: `The port is 8080`.
  static String plain() {
    return PLAIN.replace('\'', '"');
  }

  /// The same with a part replaced; both with single quotes.
  static String plain(String from, String to) {
    assertThat(PLAIN).contains(from);
    return PLAIN.replace(from, to).replace('\'', '"');
  }

  /// The line of a stored memory.
  String line(MemoryId id) {
    return export().stream()
        .filter(one -> one.contains("\"record\":\"memory\"") && one.contains(id.value()))
        .findFirst()
        .orElseThrow();
  }

  /// Imports a line that has to be skipped, and changes nothing.
  ///
  /// @param parts of the reason
  void assertSkipped(String line, String... parts) {
    List<StoredRecord> before = rows();
    ImportReport report = load(line);
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.imported() + report.known()).isZero();
    assertThat(report.reasons().getFirst()).startsWith("line 1: ").contains(parts);
    assertThat(rows()).isEqualTo(before);
  }

  List<String> export() {
    return export(ALL);
  }

  List<String> export(ExportRequest request) {
    return export(exchange, request);
  }

  static List<String> export(MemoryExchange exchange, ExportRequest request) {
    List<String> lines = new ArrayList<>();
    exchange.export(request, lines::add);
    return lines;
  }

  ImportReport load(String... lines) {
    return exchange.importLines(1, List.of(lines));
  }

  /// Imports lines in calls of a size.
  ImportReport load(List<String> lines, int size) {
    ImportReport report = ImportReport.NONE;
    for (int i = 0; i < lines.size(); i += size) {
      List<String> call = lines.subList(i, Math.min(lines.size(), i + size));
      report = report.plus(exchange.importLines(i + 1L, call));
    }
    return report;
  }

  void append(Event... events) {
    var _ = store.commit(Commit.append(List.of(events)));
  }

  /// Changes a row of the store, as a damaged disk does.
  void damage(String key, UnaryOperator<String> change) {
    String value = store.records().record(key).orElseThrow();
    var _ =
        store.commit(Commit.of(new Change.PutRecord(new StoredRecord(key, change.apply(value)))));
  }

  /// All rows of memories, to see that nothing changes.
  List<StoredRecord> rows() {
    return store.records().records("", Optional.empty(), 100_000);
  }
}
