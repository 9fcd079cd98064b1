package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.conversation.SessionCompactor;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the memories of a workspace and the account in order, and takes that back on request.
///
/// A run that changes something is one entry of the log of its store: a consolidation that changes
/// memories of the workspace and of the account has two. [RunUndo] tells what an undo restores and
/// [RunRetention] for how long. What a run plans is in [ConsolidationPlanner].
public final class MemoryUpkeep implements Consolidations, SessionCompactor {

  /// The field that errors name.
  private static final String RUN = "run_id";

  private static final int DEFAULT_PAGE = 20;
  private static final int MAX_PAGE = 1000;
  private static final int STEP = 256;
  private static final Logger LOG = LoggerFactory.getLogger(MemoryUpkeep.class);

  private final RecallServices services;
  private final WorkspaceName name;
  private final MemoryCollection workspace;
  private final AccountMemories account;
  private final UpkeepPorts ports;
  private final RunWriter.PartLimits limits;
  private final LongAdder compactions = new LongAdder();

  /// @param name of the workspace
  public MemoryUpkeep(
      RecallServices services,
      WorkspaceName name,
      MemoryCollection workspace,
      AccountMemories account,
      UpkeepPorts ports) {
    this(services, name, workspace, account, ports, RunWriter.PartLimits.DEFAULT);
  }

  MemoryUpkeep(
      RecallServices services,
      WorkspaceName name,
      MemoryCollection workspace,
      AccountMemories account,
      UpkeepPorts ports,
      RunWriter.PartLimits limits) {
    this.services = services;
    this.name = name;
    this.workspace = workspace;
    this.account = account;
    this.ports = ports;
    this.limits = limits;
  }

  private List<MemoryCollection> collections() {
    return Stream.concat(Stream.of(workspace), account.existing().stream()).toList();
  }

  /// Consolidates. Extracts from conversations that have ended first. In the end, preferences that
  /// another workspace states, too, become memories of the account. Neither is in the log: what
  /// they add can be deleted, and is not added again then.
  ///
  /// @return what was done, by name: the fields of [ConsolidationCounts], `shared`, the number of
  ///   new memories of the account, and `runs`, the ids of the entries of the log, separated by
  ///   spaces
  public Map<String, String> run() {
    return run(/* withAccount= */ true);
  }

  /// The same.
  ///
  /// @param withAccount whether the account is consolidated, too; several workspaces share it
  public Map<String, String> run(boolean withAccount) {
    Set<SessionId> ended = new HashSet<>();
    for (SessionId session : ended(now())) {
      if (ports.extraction().extract(session)) {
        ended.add(session);
      }
    }
    extractLeft();
    Instant now = now();
    ConsolidationCounts counts = ConsolidationCounts.NONE;
    List<String> runs = new ArrayList<>();
    for (MemoryCollection memories : withAccount ? collections() : List.of(workspace)) {
      UpkeepPlan plan = plan(memories, now, ended);
      Optional<UpkeepRun> run = write(memories, UpkeepRun.CONSOLIDATION, Optional.empty(), plan);
      counts = UpkeepPlan.sum(counts, run.map(UpkeepRun::counts).orElseGet(plan::scoredOnly));
      run.ifPresent(one -> runs.add(one.id().value()));
    }
    int shared = new SharedPreferences(name, workspace, account).share();
    return metadata(counts, shared, runs);
  }

  /// Extracts from all conversations that have ended with events that were not read yet.
  private void extractLeft() {
    List<SessionId> due = ports.ends().due(Optional.empty(), STEP);
    while (!due.isEmpty()) {
      for (SessionId session : due) {
        if (ports.extraction().isLeft(session)) {
          var _ = ports.extraction().extract(session);
        }
      }
      due = ports.ends().due(Optional.of(due.getLast()), STEP);
    }
  }

  private static Map<String, String> metadata(
      ConsolidationCounts counts, int shared, List<String> runs) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("scored", Long.toString(counts.scored()));
    metadata.put("promoted", Long.toString(counts.promoted()));
    metadata.put("pruned", Long.toString(counts.pruned()));
    metadata.put("merged", Long.toString(counts.merged()));
    metadata.put("superseded", Long.toString(counts.superseded()));
    metadata.put("capped", Long.toString(counts.capped()));
    metadata.put("expired", Long.toString(counts.expired()));
    metadata.put("shared", Integer.toString(shared));
    if (!runs.isEmpty()) {
      metadata.put("runs", String.join(" ", runs));
    }
    return metadata;
  }

  /// What [#run] would do, except for what a last extraction would add.
  @Override
  public ConsolidationPreview preview() {
    Instant now = now();
    Set<SessionId> ended = ended(now);
    List<UpkeepPlan> plans =
        collections().stream().map(memories -> plan(memories, now, ended)).toList();
    Set<MemoryId> gone =
        plans.stream().flatMap(UpkeepPlan::gone).collect(Collectors.toUnmodifiableSet());
    return new ConsolidationPreview(
        plans.stream().map(UpkeepPlan::counts).reduce(ConsolidationCounts.NONE, UpkeepPlan::sum),
        new SharedPreferences(name, workspace, account).planned(gone),
        plans.stream()
            .flatMap(plan -> plan.steps().stream())
            .flatMap(step -> step.planned().stream())
            .limit(ConsolidationPreview.SHOWN)
            .toList());
  }

  private Instant now() {
    return Instant.ofEpochMilli(services.system().clock().millis());
  }

  private UpkeepPlan plan(MemoryCollection memories, Instant now, Set<SessionId> ended) {
    return new ConsolidationPlanner(
            memories, services.config().consolidation(), ports.supersession(), now, ended)
        .plan();
  }

  private Optional<UpkeepRun> write(
      MemoryCollection memories, String kind, Optional<SessionId> session, UpkeepPlan plan) {
    Optional<UpkeepRun> run =
        new RunWriter(services.system(), memories, kind, session, limits).write(plan);
    RunRetention.apply(memories, now());
    return run;
  }

  /// The sessions with memories of scope conversation whose time is over.
  private Set<SessionId> ended(Instant now) {
    Map<SessionId, Instant> used = new HashMap<>();
    for (MemoryEntry entry : workspace.entries()) {
      if (entry.scope() == MemoryScope.CONVERSATION) {
        Instant created = entry.validity().created();
        Instant last = entry.use().lastAccess().filter(created::isBefore).orElse(created);
        used.merge(entry.place().session().orElseThrow(), last, (a, b) -> a.isBefore(b) ? b : a);
      }
    }
    used.entrySet()
        .removeIf(one ->
            ports
                .ends()
                .memoriesEnd(one.getKey(), one.getValue())
                .map(end -> end.isAfter(now))
                .orElse(true));
    return Set.copyOf(used.keySet());
  }

  @Override
  public Page<ConsolidationEntry> log(PageRequest page) {
    Optional<MemoryId> after = page.place(MemoryUpkeep::token);
    int limit = page.limit(DEFAULT_PAGE, MAX_PAGE);
    List<ConsolidationEntry> read =
        collections().stream()
            .flatMap(memories -> memories.rows().runs().runs().stream())
            .sorted(Comparator.comparing(UpkeepRun::id).reversed())
            .filter(run -> after.map(last -> run.id().compareTo(last) < 0).orElse(true))
            .limit(limit + 1L)
            .map(UpkeepRun::entry)
            .toList();
    return Page.of(read, limit, ConsolidationEntry::id);
  }

  private static MemoryId token(String text) {
    try {
      return MemoryId.of(text);
    } catch (IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.INVALID_TOKEN,
          PageRequest.TOKEN + " is not one of this list; start from the first page",
          e);
    }
  }

  @Override
  public ConsolidationEntry undo(String id) {
    MemoryId run = MemoryId.parse(RUN, id);
    for (MemoryCollection memories : collections()) {
      if (memories.rows().runs().run(run).isPresent()) {
        ConsolidationEntry undone = new RunUndo(memories, now()).undo(run).entry();
        LOG.info("{} {} was undone", undone.kind(), undone.id());
        return undone;
      }
    }
    throw new MemoryException(
        ErrorCode.NOT_FOUND,
        ("run %s does not exist, or is no longer kept; runs are kept for %d days, at most %d of"
                + " them")
            .formatted(run, RunRetention.AGE.toDays(), RunRetention.RUNS));
  }

  /// Drops the memories of a session whose relevance is below `recall.compact_below`, except pinned
  /// ones, preferences and long-term ones. Entries that have a tombstone go, too, and for good.
  @Override
  public CompactionReport compact(SessionId session) {
    long start = services.system().ticker().nanos();
    SessionUsage before = workspace.usage(session);
    LOG.info(
        "compaction of session {} starts: {} entries, {} bytes",
        session,
        before.count(),
        before.bytes());
    dropBuried(session);
    var _ = write(workspace, UpkeepRun.COMPACTION, Optional.of(session), compaction(session));
    compactions.increment();
    SessionUsage after = workspace.usage(session);
    Duration duration = Duration.ofNanos(services.system().ticker().nanos() - start);
    LOG.info(
        "compaction of session {} ends: {} entries before and {} after, {} bytes before and {} after, {} ms",
        session,
        before.count(),
        after.count(),
        before.bytes(),
        after.bytes(),
        duration.toMillis());
    return new CompactionReport(
        before.count(), after.count(), before.bytes(), after.bytes(), duration);
  }

  /// How many compactions of sessions were made since this object was.
  public long compactions() {
    return compactions.sum();
  }

  private UpkeepPlan compaction(SessionId session) {
    MemoryRelevance relevance = workspace.relevance(now());
    double below = services.config().sessions().compactBelow();
    List<MemoryEntry> entries = workspace.table().ofSession(session);
    return new UpkeepPlan(
        entries.size(),
        entries.stream()
            .filter(entry -> entry.lifetime() != MemoryLifetime.LONG_TERM && !entry.isExempt())
            .filter(entry -> relevance.of(entry) < below)
            .sorted(MemoryEntry.LATEST_FIRST)
            .<UpkeepStep>map(entry -> new UpkeepStep.Removed(entry, UpkeepStep.Cause.PRUNED))
            .toList());
  }

  /// A deletion removes the entry together with writing the tombstone, so there are such entries
  /// only if rows were damaged or written by another program. They are not logged: an undo must not
  /// bring them back.
  private void dropBuried(SessionId session) {
    try (var _ = workspace.exclusive()) {
      var batch = new MemoryBatch();
      for (MemoryEntry entry : workspace.table().ofSession(session)) {
        Optional<Tombstone> buried = workspace.rows().tombstone(entry.id());
        buried
            .filter(Tombstone::forgotten)
            .ifPresent(one -> batch.forget(entry.id(), one.time(), one.reason()));
      }
      workspace.commit(batch);
    }
  }
}
