package dev.agentmemory.engine;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.internal.folder.BackupRuns;
import dev.agentmemory.engine.internal.folder.WorkspaceFailures;
import dev.agentmemory.engine.internal.recall.SharedNames;
import dev.agentmemory.engine.internal.stores.OpenedStore;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workspaces of a store that they share. It is open as long as the daemon runs, so calls do
/// not wait. A workspace exists as soon as an event, a memory, a channel, a conversation or a
/// scratchpad of it is stored.
///
/// A store that cannot be opened fails every call with the reason, and is tried again by later
/// ones.
final class UnifiedWorkspaces implements WorkspaceSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(UnifiedWorkspaces.class);

  /// Threads that open the store or look for a workspace in it: callers choose the names, and each
  /// name that is not known costs a look.
  private static final int OPEN_THREADS = 4;

  private final Opener opener;
  private final WorkspaceName byDefault;
  private final WorkspaceFailures failures;
  private final Runnable onChange;
  private final Set<WorkspaceName> known = ConcurrentHashMap.newKeySet();
  private final Mutex opening = new Mutex();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          OPEN_THREADS, Thread.ofPlatform().name("memory-open-", 1).daemon(true).factory());
  private volatile @Nullable SharedMemory shared;
  private boolean closed;

  /// Opens the store.
  interface Opener {

    /// @throws MemoryException when it cannot be opened
    SharedMemory openShared();
  }

  /// Tries to open the store. When that fails the reason is kept.
  ///
  /// @param byDefault the workspace of callers that name none, which exists always
  /// @param onChange is run after the store was opened, or could not be
  UnifiedWorkspaces(Ticker ticker, Opener opener, WorkspaceName byDefault, Runnable onChange) {
    this.opener = opener;
    this.byDefault = byDefault;
    this.failures = new WorkspaceFailures(ticker);
    this.onChange = onChange;
    try {
      var _ = shared();
    } catch (MemoryException e) {
      LOG.debug("the daemon starts without its store", e);
    }
  }

  /// The store, opened if need be.
  private SharedMemory shared() {
    SharedMemory there = shared;
    if (there != null) {
      return there;
    }
    try (var _ = opening.hold()) {
      SharedMemory opened = shared;
      return opened == null ? open() : opened;
    }
  }

  /// Under the lock.
  private SharedMemory open() {
    if (closed) {
      throw new MemoryException(ErrorCode.CLOSED, "the daemon is stopping");
    }
    Optional<MemoryException> failed = failures.recent(byDefault);
    if (failed.isPresent()) {
      throw failed.get();
    }
    try {
      SharedMemory opened = opener.openShared();
      shared = opened;
      failures.forget(byDefault);
      return opened;
    } catch (RuntimeException | Error e) {
      MemoryException failure =
          failures.remember(byDefault, "the store of all workspaces (db/@unified)", e);
      LOG.error("{}", failure.getMessage());
      throw failure;
    } finally {
      onChange.run();
    }
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    SharedMemory open = shared;
    return open != null && isAllowed(asked, access)
        ? CompletableFuture.completedFuture(lease(open, asked))
        : CompletableFuture.supplyAsync(() -> openAndLease(asked, access), threads);
  }

  private boolean isAllowed(Optional<WorkspaceName> asked, Access access) {
    return asked.isEmpty()
        || asked.get().equals(byDefault)
        || known.contains(asked.get())
        || (access == Access.WRITE && asked.get().isForNew());
  }

  /// Looks for the workspace in the store.
  private Lease openAndLease(Optional<WorkspaceName> asked, Access access) {
    SharedMemory open = shared();
    if (!isAllowed(asked, access)) {
      demandExisting(open, asked.orElseThrow(), access);
    }
    return lease(open, asked);
  }

  /// If rows cannot be read, it is unknown whether the workspace has one; the response to the call
  /// then lists what is missing.
  private void demandExisting(SharedMemory open, WorkspaceName name, Access access) {
    var passed = new PassedOver();
    if (passed.during(() -> SharedNames.has(open.whole().store(), name))) {
      known.add(name);
    } else if (passed.ranges().isEmpty()) {
      throw access == Access.READ ? unknown(name) : name.notForNew(SharedMemory.WORKSPACE);
    }
  }

  private static MemoryException unknown(WorkspaceName name) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        ("there is no workspace %s; `memory workspaces` lists the workspaces. Create it by sending"
                + " an event to it or by storing a memory in it")
            .formatted(name));
  }

  private static Lease lease(SharedMemory open, Optional<WorkspaceName> asked) {
    return asked
        .map(name -> new HeldLease(open.of(name), /* sharesStore= */ true))
        .orElseGet(() -> new HeldLease(open.joint(), /* sharesStore= */ false));
  }

  @Override
  public CompletableFuture<Boolean> create(WorkspaceName name) {
    return CompletableFuture.failedFuture(
        new MemoryException(
            ErrorCode.CONFLICT,
            "workspaces share a store (multi_agent_mode = unified) and cannot be created"
                + " explicitly; the first event or memory that is stored in "
                + name
                + " creates it"));
  }

  @Override
  public CompletableFuture<Long> delete(WorkspaceName name) {
    return CompletableFuture.failedFuture(
        new MemoryException(
            ErrorCode.CONFLICT,
            "workspaces share a store (multi_agent_mode = unified), so "
                + name
                + " cannot be deleted on its own"));
  }

  @Override
  public Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page) {
    // What is wrong with the store is in the answer to every other call.
    return new Page<>(List.of(), "");
  }

  @Override
  public Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page) {
    MemoryStore store = shared().whole().store();
    SortedSet<WorkspaceName> names = SharedNames.all(store);
    asked.ifPresent(own -> names.removeIf(name -> !name.equals(own)));
    return WorkspaceReports.page(names, page, name -> Optional.of(report(store, name)));
  }

  private static WorkspaceReport report(MemoryStore store, WorkspaceName name) {
    WorkspaceView.Size size = new WorkspaceView(store, name).size();
    return new WorkspaceReport(
        name,
        /* open= */ true,
        Optional.empty(),
        Optional.of(new WorkspaceReport.Content(size.events(), size.sessions())),
        /* diskBytes= */ 0,
        Optional.empty());
  }

  /// The store and that of the account, as they are backed up.
  ///
  /// @param hasAccount whether there is a store of the account
  /// @param account opens it
  BackupRuns.Stores stores(BooleanSupplier hasAccount, Supplier<OpenedStore> account) {
    return new BackupStores.Shared(() -> shared().whole(), hasAccount, account);
  }

  /// The state of the store, if it is open and can be read.
  List<WorkspaceMetrics> metrics() {
    SharedMemory open = shared;
    try {
      return open == null ? List.of() : List.of(open.whole().metrics());
    } catch (RuntimeException e) {
      LOG.debug("the store of all workspaces is not measured", e);
      return List.of();
    }
  }

  /// What does not work now.
  List<String> problems() {
    SharedMemory open = shared;
    return open == null ? failures.last(byDefault).stream().toList() : open.whole().outages();
  }

  /// To be called when no call is in progress any more.
  @Override
  public void close() {
    try (var _ = opening.hold()) {
      closed = true;
    }
    threads.shutdown();
    SharedMemory open = shared;
    if (open != null) {
      open.whole().close();
    }
  }

  private record HeldLease(Memory memory, boolean sharesStore) implements Lease {

    @Override
    public void close() {
      // The store stays open for the other workspaces.
    }
  }
}
