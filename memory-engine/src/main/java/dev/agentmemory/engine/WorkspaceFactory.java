package dev.agentmemory.engine;

import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.IndexEpochs;
import dev.agentmemory.engine.data.Links;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.engine.internal.changes.ChangeLogs;
import dev.agentmemory.engine.internal.changes.NotedStore;
import dev.agentmemory.engine.internal.local.LineChooser;
import dev.agentmemory.engine.internal.local.StatementModel;
import dev.agentmemory.engine.internal.measure.EngineMeasures;
import dev.agentmemory.engine.internal.recall.LocalAccount;
import dev.agentmemory.engine.internal.recall.SharedRecall;
import dev.agentmemory.engine.internal.stores.DatabaseStores;
import dev.agentmemory.engine.internal.stores.EngineStores;
import dev.agentmemory.engine.internal.stores.FolderStores;
import dev.agentmemory.engine.internal.stores.OpenedStore;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.upkeep.SharedPreferences;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.spi.measure.CacheUse;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.text.secret.SecretMask;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.Optional;

/// Opens workspaces, and has what all of them share: what their stores share, the mapper, the
/// tokenizer's tables, the summariser. It has to outlast them.
final class WorkspaceFactory
    implements WorkspaceRegistry.Opener, UnifiedWorkspaces.Opener, AutoCloseable {

  private static final String LIBRARIES = "native";

  /// No workspace can be called that.
  static final String SHARED = "@unified";

  private final SystemServices system;
  private final EngineConfig config;
  private final Runnable onProblem;
  private final EngineMeasures measures;
  private final EngineStores stores;
  private final WorkerPool mapper;
  private final EngineContext shared;
  private final BackupMaker backups;
  private final AccountStore account = new AccountStore(this::openAccount);
  private final LocalAccount memories;
  private final ChangeLogs changes;
  private volatile ConversationFiles files = ConversationFiles.NONE;

  /// @param audit where scheduled backups are recorded
  /// @param onProblem is run when something of a workspace has stopped working
  WorkspaceFactory(
      SystemServices system, EngineConfig config, AuditTrail audit, Runnable onProblem) {
    this.system = system;
    this.config = config;
    this.onProblem = onProblem;
    this.changes = new ChangeLogs(system.random());
    this.backups = new BackupMaker(system, config, audit, AuditActor.DAEMON);
    Path libraries = config.data().resolve(LIBRARIES);
    this.measures = new EngineMeasures(system);
    this.stores =
        config
            .database()
            .<EngineStores>map(
                database -> new DatabaseStores(config, database, system, measures.commits()))
            .orElseGet(() ->
                new FolderStores(
                    config, libraries, system.clock(), backups, SHARED, measures.commits()));
    this.mapper = new WorkerPool(Runtime.getRuntime().availableProcessors());
    var tokens = new BpeTokens();
    var embedding =
        new EmbeddingThread(
            system.ticker(), Models.embedding(system.ticker(), config.embedding(), libraries));
    RecallServices services = SharedRecall.services(system, config);
    Optional<LineChooser> chooser =
        Models.orientation(
            system,
            config.summarizer(),
            config.recall().orient(),
            tokens,
            new SecretMask(config.ingest().secretRules()));
    Optional<StatementModel> statements =
        Models.extraction(
            system,
            config.summarizer(),
            config.recall().extraction(),
            tokens,
            new SecretMask(config.ingest().secretRules()));
    this.memories =
        new LocalAccount(
            services,
            stores.registry()::hasAccount,
            () -> account.get().store(),
            config.data().resolve(OwnDirectory.INDEX).resolve(BackupMaker.ACCOUNT),
            mapper);
    this.shared =
        new EngineContext(
            config,
            tokens,
            new ExtractiveSummarizer(),
            Models.open(
                system, config.summarizer(), tokens, new SecretMask(config.ingest().secretRules())),
            mapper,
            embedding,
            new SharedRecall(services, mapper, embedding, tokens, chooser, statements, memories),
            new ImportDeferral.Activity(system.ticker()),
            measures,
            () -> files);
  }

  @Override
  public OpenWorkspace open(WorkspaceName name) {
    // The threads that are started here speak of this workspace.
    try (var _ = WorkspaceScope.of(name.value())) {
      return open(Optional.of(name));
    }
  }

  @Override
  public void remove(WorkspaceName name) {
    memories.existing().ifPresent(account -> SharedPreferences.forget(name, account));
    stores.registry().delete(name);
    StoreDirectory.delete(index(name.value()));
  }

  /// Opens the store that all workspaces share, with all of them.
  @Override
  public SharedMemory openShared() {
    return new SharedMemory(
        open(Optional.empty()),
        shared.tokens(),
        shared.summarizer(),
        new WorkspaceName(config.workspaces().agentId()));
  }

  /// @param only empty for the store that all workspaces share
  private OpenWorkspace open(Optional<WorkspaceName> only) {
    String name = only.map(WorkspaceName::value).orElse(SHARED);
    Path index = index(name);
    Links.refuseWithin(index);
    OpenedStore opened = only.map(stores::open).orElseGet(stores::openShared);
    var noted = new NotedStore(opened.store(), changes.use(name));
    try {
      beginIndex(name, opened);
      var workspace =
          new OpenWorkspace(
              system,
              noted,
              index,
              shared,
              only,
              opened.ownership(),
              opened.files().map(files -> new StoreBackup(backups, config.backup(), name, files)),
              _ -> onProblem.run());
      opened.start().run();
      forgetAgain(workspace, name);
      return workspace;
    } catch (RuntimeException | Error e) {
      noted.close();
      throw e;
    }
  }

  private void beginIndex(String name, OpenedStore opened) {
    opened
        .ownership()
        .epoch()
        .ifPresent(
            epoch -> new IndexEpochs(config.data().resolve(OwnDirectory.INDEX)).begin(name, epoch));
  }

  /// The folder of a workspace's search index.
  private Path index(String name) {
    return config.data().resolve(OwnDirectory.INDEX).resolve(name);
  }

  private void forgetAgain(OpenWorkspace opened, String name) {
    try {
      opened.forgetAgain(OwnDirectory.forgotten(config.data(), name));
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  /// Removes what is forgotten from other files, too.
  void forgetIn(ConversationFiles other) {
    files = other;
  }

  EngineMeasures measures() {
    return measures;
  }

  /// Why none of the stores can be used, if that is so.
  Optional<String> problem() {
    return stores.problem();
  }

  /// The memory that all stores share.
  EngineMetrics.BlockCache blockCache() {
    return stores.cache();
  }

  /// How often vectors were asked for that were remembered.
  CacheUse vectors() {
    return shared.embedding().embedder().map(Embedder::cacheUse).orElse(CacheUse.NONE);
  }

  /// What is changed in the workspaces.
  ChangeLogs changes() {
    return changes;
  }

  /// How many memories the account has; 0 before they are asked for.
  long accountMemories() {
    return memories.size();
  }

  BackupMaker backups() {
    return backups;
  }

  /// The stores, as they are found and deleted.
  StoreRegistry stores() {
    return stores.registry();
  }

  /// The store of what belongs to no workspace; opened with the first call.
  ///
  /// @throws dev.agentmemory.types.MemoryException when it cannot be opened
  OpenedStore account() {
    return account.get();
  }

  /// Nothing works on it by itself.
  private OpenedStore openAccount() {
    OpenedStore opened = stores.openAccount();
    beginIndex(BackupMaker.ACCOUNT, opened);
    opened.start().run();
    return opened;
  }

  @Override
  public void close() {
    memories.close();
    account.close();
    shared.recall().chooser().ifPresent(LineChooser::close);
    shared.recall().statements().ifPresent(StatementModel::close);
    shared.model().ifPresent(ModelSummarizer::close);
    shared.embedding().close();
    shared.embedding().embedder().ifPresent(Embedder::close);
    mapper.close();
    stores.close();
  }
}
