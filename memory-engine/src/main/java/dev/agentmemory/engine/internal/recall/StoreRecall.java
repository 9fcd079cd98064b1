package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.engine.internal.local.ModelRefiner;
import dev.agentmemory.engine.internal.local.ModelStatementRefiner;
import dev.agentmemory.engine.internal.local.StatementModel;
import dev.agentmemory.engine.internal.local.TocRecentWork;
import dev.agentmemory.recall.conversation.ConversationCaches;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.RecordOwner;
import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.recall.derive.StatementRefiner;
import dev.agentmemory.recall.erase.ErasedMemories;
import dev.agentmemory.recall.injection.CitedIds;
import dev.agentmemory.recall.injection.InjectionRow;
import dev.agentmemory.recall.masking.RecordErasure;
import dev.agentmemory.recall.masking.RecordMasking;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.orient.OrientationRefiner;
import dev.agentmemory.recall.upkeep.LastExtraction;
import dev.agentmemory.recall.upkeep.SharedPreferences;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.measure.CacheUse;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The curated memories in a store, of one workspace or of several that share it, with what works
/// on them by itself. Memories are read when they are first asked for.
public final class StoreRecall implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreRecall.class);

  /// Where the word indexes of workspaces are that share a store. No number, so it is no generation
  /// of the search index.
  private static final String OWN_WORDS = "workspaces";

  /// The job that keeps the number of memories within its bounds.
  static final String CONSOLIDATION = "consolidation";

  private final SharedRecall shared;
  private final MemoryStore store;
  private final StoreReader contents;
  private final StoreReader visible;
  private final Path index;
  private final Optional<WorkspaceName> only;
  private final OrientationRefiner refiner;
  private final TokenBudget budget;
  private final ExtractionJob extraction;
  private final Mutex mutex = new Mutex();
  private final ConversationCaches caches = new ConversationCaches();
  private final Map<WorkspaceName, WorkspaceRecall> workspaces = new ConcurrentHashMap<>();
  private final FlushLoop flushing;
  private final EmbeddingThread.Registration embedding;

  /// @param contents what memories are extracted from
  /// @param visible what answers may have of it
  /// @param index folder of the store's search index; those of words are made in it
  /// @param only the workspace; empty when several share the store
  /// @param budget of the requests to models
  public StoreRecall(
      SharedRecall shared,
      MemoryStore store,
      StoreReader contents,
      StoreReader visible,
      Path index,
      Optional<WorkspaceName> only,
      JobControl control,
      TokenBudget budget) {
    this.shared = shared;
    this.store = store;
    this.contents = contents;
    this.visible = visible;
    this.index = index;
    this.only = only;
    this.budget = budget;
    this.refiner =
        shared
            .chooser()
            .<OrientationRefiner>map(chooser ->
                new ModelRefiner(shared.services().system().random(), chooser, budget, store))
            .orElse(OrientationRefiner.NONE);
    this.flushing = new FlushLoop(shared.services().config().accessFlush(), this::flush);
    this.embedding = shared.embedding().join(new Vectors(control));
    this.extraction =
        new ExtractionJob(
            shared.services().system(), control, new Owners(), shared.statements().isPresent());
  }

  /// The memories of the only workspace of a store, or those of all that share it, which can only
  /// be read.
  ///
  /// @param ingest stores the events that begin and end conversations
  public Recall recall(Ingest ingest) {
    return only.map(name -> of(name).recall(ingest)).orElseGet(() -> joint().recall(ingest));
  }

  /// The memories of one of several workspaces.
  public Recall recall(WorkspaceName workspace, Ingest ingest) {
    return of(workspace).recall(ingest);
  }

  /// Lets a search find the memories of the only workspace, or of all that share the store.
  public MemorySource source() {
    return only.map(this::source).orElseGet(() -> joint().source());
  }

  /// Lets a search find the memories of one of several workspaces.
  public MemorySource source(WorkspaceName workspace) {
    return new SearchedMemories(() -> of(workspace).curated());
  }

  private JointRecall joint() {
    return new JointRecall(
        shared, context(RecordOwner.ofAll(), store), visible, this::all, workspaces::values);
  }

  /// Computes the vectors of memories.
  public EmbeddingThread.Registration embedding() {
    return embedding;
  }

  private WorkspaceRecall of(WorkspaceName workspace) {
    return workspaces.computeIfAbsent(workspace, this::open);
  }

  private WorkspaceRecall open(WorkspaceName workspace) {
    boolean alone = only.isPresent();
    StoreReader reader = alone ? contents : new WorkspaceView(contents, workspace);
    StoreReader shown = alone ? visible : new WorkspaceView(visible, workspace);
    var opened =
        new WorkspaceRecall(
            shared,
            workspace,
            context(alone ? RecordOwner.only() : RecordOwner.of(workspace), reader),
            alone ? index : index.resolve(OWN_WORDS).resolve(workspace.value()),
            new Last(alone ? Optional.empty() : Optional.of(workspace)),
            shown,
            new TocRecentWork(
                new TocNavigator(shown, shared.tokens()), shown.segments(), store.zone()),
            refiner,
            statements(alone ? Optional.empty() : Optional.of(workspace)));
    opened.collection().whenUnflushed(flushing::request);
    opened.collection().whenUnembedded(embedding::wake);
    return opened;
  }

  /// @param owner the workspace, if several share the store
  private StatementRefiner statements(Optional<WorkspaceName> owner) {
    return shared
        .statements()
        .<StatementRefiner>map(model ->
            new ModelStatementRefiner(
                shared.services().system().random(),
                model,
                ExtractionJob.NAME,
                budget,
                store,
                owner))
        .orElse(StatementRefiner.NONE);
  }

  private ConversationContext context(RecordOwner owner, StoreReader reader) {
    return new ConversationContext(shared.services().system(), store, reader, owner, mutex, caches);
  }

  /// What cannot be read, of the memories that were asked for.
  public List<String> problems() {
    long unreadable =
        workspaces.values().stream().mapToLong(one -> one.collection().unreadable()).sum();
    Stream<String> damage =
        unreadable == 0
            ? Stream.empty()
            : Stream.of(
                "%d curated memories cannot be read; run `memory doctor --deep`, which names them"
                    .formatted(unreadable));
    long runs =
        workspaces.values().stream().mapToLong(one -> one.collection().unreadableRuns()).sum();
    long conversations = caches.unreadable();
    Stream<String> unlisted = MemoryCollection.runProblem(runs).stream();
    Stream<String> unset =
        conversations == 0
            ? Stream.empty()
            : Stream.of(
                ("%d records of conversations cannot be read, so what was set of these conversations"
                        + " does not apply; the daemon's log names them; restore them from a backup")
                    .formatted(conversations));
    Stream<String> unflushed =
        flushing
            .problem()
            .map("access counts of memories are not written, and are tried again: %s"::formatted)
            .stream();
    return Stream.of(damage, unlisted, unset, unflushed, shared.account().problem().stream())
        .flatMap(problems -> problems)
        .toList();
  }

  /// How many memories there are, of those that were asked for.
  public long memories() {
    return workspaces.values().stream().mapToLong(one -> one.collection().size()).sum();
  }

  /// How many compactions of sessions were made since the store was opened.
  public long compactions() {
    return workspaces.values().stream().mapToLong(one -> one.upkeep().compactions()).sum();
  }

  /// How often records of conversations were found in memory.
  public CacheUse cacheUse() {
    return caches.use();
  }

  /// What works to no purpose: a model that does not answer about memories. They are kept without
  /// it.
  public Optional<String> modelProblem() {
    return shared.statements().flatMap(StatementModel::problem);
  }

  /// Masks secrets in the rows of memories and conversations, and in those of the account.
  ///
  /// @param commit commits changes of this store; of none before the account's are committed
  public void mask(RecordMasking masking, Consumer<List<Change>> commit, boolean dryRun) {
    masking.run(store, mutex::hold, commit);
    shared
        .account()
        .existing()
        .ifPresent(memories -> memories.mask(masking, dryRun, () -> commit.accept(List.of())));
  }

  /// The memories that a request to forget names or describes; of the account those that it names,
  /// and those that were made of others.
  ///
  /// @param owner the workspace, where several share the store
  public ErasedMemories erased(Optional<WorkspaceName> owner, Forgetting what) {
    ErasedMemories own = withShared(owner, ErasedMemories.of(memories(owner), what));
    return shared
        .account()
        .existing()
        .map(account -> own.plus(ErasedMemories.named(account, what.memories())))
        .orElse(own);
  }

  /// A preference may have been made a memory of the account, which all workspaces read.
  private ErasedMemories withShared(Optional<WorkspaceName> owner, ErasedMemories own) {
    return shared
        .account()
        .existing()
        .map(account -> own.plus(SharedPreferences.madeOf(memories(owner), own.ids(), account)))
        .orElse(own);
  }

  /// The memories that rest on events, those of the account included.
  ///
  /// @param events without a workspace's name
  public ErasedMemories restingOn(Optional<WorkspaceName> owner, Set<EventId> events) {
    ErasedMemories own = withShared(owner, ErasedMemories.restingOn(memories(owner), events));
    return shared
        .account()
        .existing()
        .map(account -> own.plus(ErasedMemories.restingOn(account, events)))
        .orElse(own);
  }

  /// The memories that are there and meant, those of the account included.
  public ErasedMemories present(Optional<WorkspaceName> owner, Predicate<MemoryId> meant) {
    ErasedMemories own = withShared(owner, ErasedMemories.present(memories(owner), meant));
    return shared
        .account()
        .existing()
        .map(account -> own.plus(ErasedMemories.present(account, meant)))
        .orElse(own);
  }

  /// Those of some memories that can be read, of the workspace or of the account. Does not count as
  /// access.
  public List<MemoryRecord> readable(Optional<WorkspaceName> owner, List<MemoryId> ids) {
    List<MemoryCollection> collections =
        Stream.concat(Stream.of(memories(owner)), shared.account().existing().stream()).toList();
    return ids.stream()
        .flatMap(id ->
            collections.stream()
                .filter(memories -> memories.has(id))
                .flatMap(memories -> readable(memories, id).stream())
                .limit(1))
        .toList();
  }

  private static Optional<MemoryRecord> readable(MemoryCollection memories, MemoryId id) {
    try {
      return Optional.of(memories.get(id));
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      }
      return Optional.empty();
    }
  }

  /// The workspaces of a store that they share; of another store its only one, without a name.
  public List<Optional<WorkspaceName>> owners() {
    return only.isPresent()
        ? List.of(Optional.empty())
        : SharedNames.all(store).stream().map(Optional::of).toList();
  }

  private MemoryCollection memories(Optional<WorkspaceName> owner) {
    return of(owner.or(() -> only).orElseThrow()).collection();
  }

  /// What is erased of a workspace.
  ///
  /// @param events by session
  /// @param whole sessions of which nothing is left
  /// @param all whether the whole workspace is erased
  /// @param memoriesStay whether memories that rest on an erased event are kept
  /// @param nodes of the table of contents that say, or have said, what the events say
  public record Erased(
      Set<MemoryId> memories,
      Map<SessionId, Set<EventId>> events,
      Set<SessionId> whole,
      boolean all,
      boolean memoriesStay,
      Set<NodeId> nodes) {

    /// The events and memories alone: a session or a workspace may have got new ones since.
    public Erased ofNothingElse() {
      return new Erased(memories, events, Set.of(), /* all= */ false, memoriesStay, nodes);
    }

    /// The same with further memories.
    public Erased plus(Set<MemoryId> others) {
      Set<MemoryId> both = new HashSet<>(memories);
      both.addAll(others);
      return new Erased(both, events, whole, all, memoriesStay, nodes);
    }

    /// The events, without a workspace's name, whose memories are erased, too.
    public Set<EventId> restedOn() {
      return memoriesStay ? Set.of() : plainEvents();
    }

    private Set<EventId> plainEvents() {
      Set<EventId> plain = new HashSet<>();
      events.values().forEach(ids -> ids.forEach(id -> plain.add(id.plain())));
      return plain;
    }

    /// Whether a citation, as the workspace has it, names something of this.
    ///
    /// @param reader what is left of the store, as the workspace sees it
    InjectionRow.Citations citations(StoreReader reader) {
      Set<EventId> plain = plainEvents();
      Set<NodeId> told = new HashSet<>();
      nodes.forEach(id -> told.add(id.plain()));
      return citation ->
          CitedIds.event(citation).filter(plain::contains).isPresent()
              || CitedIds.memory(citation).filter(memories::contains).isPresent()
              || CitedIds.node(citation).filter(told::contains).isPresent()
              || CitedIds.grip(citation).filter(id -> isGone(reader, id)).isPresent();
    }

    private static boolean isGone(StoreReader reader, GripId grip) {
      return reader.grips().grip(grip).isEmpty();
    }
  }

  /// Erases memories and records of conversations, which are all that answers of an agent have. Can
  /// be repeated.
  ///
  /// @return how many rows besides memories were removed
  public long eraseCurrent(Optional<WorkspaceName> owner, Erased erased) {
    MemoryCollection own = memories(owner);
    own.erase(erased.memories());
    shared.account().existing().ifPresent(account -> account.erase(erased.memories()));
    RecordErasure records = own.records();
    records.eraseSessions(erased.whole());
    if (erased.all()) {
      records.eraseAll();
    }
    caches.clear();
    return records.rows();
  }

  /// Erases what is kept of former states. Can be repeated.
  ///
  /// @return how many rows were changed or removed
  public long eraseFormer(Optional<WorkspaceName> owner, Erased erased) {
    MemoryCollection own = memories(owner);
    RecordErasure records = own.records();
    records.eraseTurns(erased.events());
    StoreReader left = owner.<StoreReader>map(name -> new WorkspaceView(store, name)).orElse(store);
    records.eraseInjections(erased.citations(left));
    records.eraseStates(erased.memories(), erased.restedOn());
    long rows = records.rows();
    Optional<MemoryCollection> account = shared.account().existing();
    if (account.isPresent()) {
      RecordErasure others = account.get().records();
      others.eraseStates(erased.memories(), erased.restedOn());
      rows += others.rows();
    }
    return rows;
  }

  /// Reads memories and conversations again after rows were masked or erased.
  public void renew() {
    caches.clear();
    all().forEach(workspace -> workspace.collection().reload());
    shared.account().existing().ifPresent(MemoryCollection::reload);
  }

  /// Leaves nothing in the files of word indexes of memories that were erased.
  ///
  /// @return whether that is so; else it has to be called again
  public boolean purgeWords(Optional<WorkspaceName> owner) {
    boolean own = memories(owner).purgeWords();
    return shared.account().existing().map(MemoryCollection::purgeWords).orElse(true) && own;
  }

  /// Removes what rows of the account were before from its files.
  public void compactAccount() {
    shared.account().existing().ifPresent(MemoryCollection::compact);
  }

  /// The only workspace, or all that share the store.
  private List<WorkspaceRecall> all() {
    Stream<WorkspaceName> names =
        only.isPresent() ? only.stream() : SharedNames.all(store).stream();
    return names.map(this::of).toList();
  }

  /// @param consolidation when memories are consolidated
  /// @param timeout of a run
  public List<Job> jobs(Schedule consolidation, Duration timeout) {
    return List.of(
        new Job(CONSOLIDATION, consolidation, timeout, this::consolidate), extraction.job(timeout));
  }

  /// Begins with what is left to extract. The jobs must be there.
  public void start() {
    extraction.start();
  }

  /// Nodes of the table of contents were written or retired.
  public void nodesChanged(Set<NodeId> nodes) {
    extraction.nodesChanged(nodes);
  }

  /// The account is consolidated once. A workspace that fails does not keep the others from it.
  ///
  /// @return the sums of all workspaces, and the ids of the entries of the log
  /// @throws MemoryException when a workspace has failed, after all of them were tried
  private Map<String, String> consolidate() {
    Map<String, String> sums = new LinkedHashMap<>();
    Map<WorkspaceName, MemoryException> failed = new LinkedHashMap<>();
    boolean withAccount = true;
    for (WorkspaceRecall workspace : all()) {
      try {
        workspace
            .upkeep()
            .run(withAccount)
            .forEach((name, value) -> sums.merge(name, value, StoreRecall::plus));
        withAccount = false;
      } catch (MemoryException e) {
        failed.put(workspace.name(), e);
      }
    }
    if (!failed.isEmpty()) {
      throw notConsolidated(failed);
    }
    return sums;
  }

  private static MemoryException notConsolidated(Map<WorkspaceName, MemoryException> failed) {
    failed.forEach(
        (name, e) -> LOG.error("workspace {} was not consolidated: {}", name, e.getMessage()));
    WorkspaceName first = failed.keySet().iterator().next();
    MemoryException why = failed.values().iterator().next();
    return new MemoryException(
        why.code(),
        "workspace %s was not consolidated%s: %s"
            .formatted(
                first,
                failed.size() == 1
                    ? ""
                    : ", nor were %d others that the log names".formatted(failed.size() - 1),
                why.getMessage()),
        why);
  }

  private static String plus(String one, String other) {
    return one.matches("\\d+") && other.matches("\\d+")
        ? Long.toString(Long.parseLong(one) + Long.parseLong(other))
        : (one + ' ' + other).strip();
  }

  private void flush() {
    workspaces.values().forEach(workspace -> workspace.collection().flush());
  }

  /// Writes access counts and closes the indexes. The store stays open.
  @Override
  public void close() {
    embedding.close();
    flushing.close();
    workspaces.values().forEach(StoreRecall::close);
  }

  private static void close(WorkspaceRecall workspace) {
    try {
      workspace.collection().close();
    } catch (MemoryException e) {
      LOG.warn("the latest access counts of memories were not written: {}", e.getMessage());
    }
  }

  private final class Last implements LastExtraction {

    private final Optional<WorkspaceName> owner;

    /// @param owner empty in a store of one workspace
    private Last(Optional<WorkspaceName> owner) {
      this.owner = owner;
    }

    @Override
    public boolean isLeft(SessionId session) {
      return extraction.isLeft(owner, session);
    }

    @Override
    public boolean extract(SessionId session) {
      try {
        return extraction.lastExtraction(owner, session);
      } catch (MemoryException e) {
        LOG.warn("nothing was extracted from session {}: {}", session, e.getMessage());
        return false;
      }
    }
  }

  private final class Owners implements ExtractionOwners {

    @Override
    public List<Optional<WorkspaceName>> all() {
      return only.isPresent()
          ? List.of(Optional.empty())
          : ExtractionOwners.names(store).stream().map(Optional::of).toList();
    }

    @Override
    public MemoryExtraction open(Optional<WorkspaceName> owner) {
      return of(owner.or(() -> only).orElseThrow()).extraction();
    }
  }

  private final class Vectors implements EmbeddingThread.Work {

    private final JobControl control;

    private Vectors(JobControl control) {
      this.control = control;
    }

    @Override
    public Optional<String> pausedBecause() {
      return control.isPaused(WorkspaceSearch.EMBEDDING)
          ? Optional.of("the job %s is paused".formatted(WorkspaceSearch.EMBEDDING))
          : Optional.empty();
    }

    @Override
    public int embed(Embedder embedder, int limit) {
      return all().stream().mapToInt(one -> one.collection().embedPending()).sum();
    }
  }
}
