package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.engine.internal.folder.WorkspaceFailures;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workspaces of a daemon, each with a store of its own, which is opened on demand.
///
/// Idea: a call finds the [WorkspaceHandle] of its workspace in a map and acquires it in one atomic
/// step; a call for an open workspace takes no other step. Every change of the map is decided under
/// one lock and carried out outside of it, on threads of its own, because opening and closing can
/// take long.
///
/// Invariants: a workspace has at most one handle, so concurrent calls open its store once. A store
/// is closed only when its handle has no references. At most `maxOpen` stores are open: at the
/// limit the least recently used one is closed before the new one is opened.
public final class WorkspaceRegistry implements WorkspaceSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceRegistry.class);

  /// Delay before unfinished work is tried again.
  private static final Duration TRY_AGAIN = Duration.ofHours(1);

  /// A workspace that was used more recently is closed for a background task only if there is no
  /// other way.
  private static final Duration EVICTABLE_AFTER = Duration.ofMinutes(1);

  /// How long a deletion waits for calls to end.
  private static final int DELETE_ATTEMPTS = 100;

  private static final Duration DELETE_PAUSE = Duration.ofMillis(20);

  private final InstantSource clock;
  private final Ticker ticker;
  private final WorkspacesConfig config;
  private final StoreRegistry stores;
  private final Opener opener;
  private final Runnable onChange;
  private final WorkspaceName byDefault;
  private final WorkspaceFailures failures;
  private final WorkspaceReports reports;
  private final Map<WorkspaceName, WorkspaceHandle> handles = new ConcurrentHashMap<>();

  /// When there is work in a workspace that is closed.
  private final Map<WorkspaceName, Instant> dues = new ConcurrentHashMap<>();

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform()
              .name("memory-open-", 1)
              .daemon(true)
              .inheritInheritableThreadLocals(false)
              .factory());
  private final Mutex lock = new Mutex();
  private boolean closing;

  /// Opens and deletes workspaces.
  interface Opener {

    /// @throws MemoryException when the store cannot be opened
    OpenWorkspace open(WorkspaceName name);

    /// Deletes a workspace that is not open.
    ///
    /// @throws MemoryException when it cannot be deleted
    void remove(WorkspaceName name);
  }

  /// @param stores of the workspaces
  /// @param onChange is run after a workspace was opened, or could not be
  WorkspaceRegistry(
      InstantSource clock,
      Ticker ticker,
      StoreRegistry stores,
      WorkspacesConfig config,
      Opener opener,
      Runnable onChange) {
    this.clock = clock;
    this.ticker = ticker;
    this.config = config;
    this.stores = stores;
    this.opener = opener;
    this.onChange = onChange;
    this.byDefault = new WorkspaceName(config.agentId());
    this.failures = new WorkspaceFailures(ticker);
    this.reports = new WorkspaceReports(clock, ticker, stores, failures, handles);
    Optional<Instant> now = Optional.of(clock.instant());
    for (WorkspaceName name : stores.names()) {
      // Without a note the workspace was open when a daemon ended; its pending work is unknown.
      stores.note(name).map(StoreNote::due).orElse(now).ifPresent(due -> dues.put(name, due));
    }
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    WorkspaceName name = asked.orElse(byDefault);
    WorkspaceHandle handle = handles.get(name);
    return handle != null && handle.acquire() ? leased(handle) : leaseLater(name, access);
  }

  /// What a workspace keeps in memory may be wrong when its store is not this process's any more.
  private CompletableFuture<Lease> leased(WorkspaceHandle acquired) {
    try {
      acquired.workspace().orElseThrow().ownership().check();
      return CompletableFuture.completedFuture(acquired.lease());
    } catch (MemoryException e) {
      acquired.release();
      if (acquired.isLost()) {
        closeIfUnused(acquired);
      }
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Lease> leaseLater(WorkspaceName name, Access access) {
    try (var _ = lock.hold()) {
      WorkspaceHandle handle = handles.get(name);
      if (handle == null) {
        return whenReady(admitted(name, access));
      }
      if (handle.isClosing()) {
        return handle.closed().thenCompose(_ -> lease(Optional.of(name), access));
      }
      return whenReady(handle);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Under the lock.
  private WorkspaceHandle admitted(WorkspaceName name, Access access) {
    Optional<MemoryException> failed = failures.recent(name);
    if (failed.isPresent()) {
      throw failed.get();
    }
    boolean isNew = !name.equals(byDefault) && !stores.has(name);
    if (isNew && access == Access.READ) {
      throw unknown(name);
    }
    if (isNew && !name.isForNew()) {
      throw name.notForNew(SharedMemory.WORKSPACE);
    }
    return admit(name, _ -> true).orElseThrow(this::full);
  }

  /// The refusal of a name that no workspace has.
  private static MemoryException unknown(WorkspaceName name) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        ("there is no workspace %s; `memory workspaces` lists the workspaces. Create it by sending"
                + " an event to it or with `memory workspaces create %s`")
            .formatted(name, name));
  }

  /// The opening thread keeps its reference until all waiting calls have acquired the handle.
  private CompletableFuture<Lease> whenReady(WorkspaceHandle handle) {
    return handle
        .ready()
        .thenCompose(opened -> {
          if (!opened.acquire()) {
            throw stopping();
          }
          return leased(opened);
        });
  }

  /// Creates the handle of a workspace and opens it, after closing another one if necessary. Called
  /// under the lock.
  ///
  /// @param mayClose which of the handles without a call may be closed for it
  /// @return empty when all are needed
  private Optional<WorkspaceHandle> admit(WorkspaceName name, Predicate<WorkspaceHandle> mayClose) {
    if (closing) {
      throw stopping();
    }
    var handle = new WorkspaceHandle(name, ticker);
    Optional<WorkspaceHandle> before = Optional.empty();
    if (isFull()) {
      before = evict(mayClose);
      if (before.isEmpty()) {
        return Optional.empty();
      }
      before.get().setSuccessor(handle);
    }
    handles.put(name, handle);
    dues.remove(name);
    CompletableFuture<Void> free =
        before
            .map(WorkspaceHandle::closed)
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    var _ = free.thenRunAsync(() -> open(handle), threads);
    return Optional.of(handle);
  }

  /// A handle with a successor does not count, because its successor is counted.
  private boolean isFull() {
    return handles.values().stream().filter(handle -> !handle.hasSuccessor()).count()
        >= config.maxOpen();
  }

  /// A handle that is already closing, else the least recently used one, which is then closed.
  private Optional<WorkspaceHandle> evict(Predicate<WorkspaceHandle> mayClose) {
    List<WorkspaceHandle> all =
        handles.values().stream().filter(handle -> !handle.hasSuccessor()).toList();
    long now = ticker.nanos();
    return all.stream()
        .filter(WorkspaceHandle::isClosing)
        .findFirst()
        .or(() ->
            all.stream()
                .filter(handle -> handle.isEmpty() && mayClose.test(handle))
                .sorted(
                    Comparator.comparingLong((WorkspaceHandle handle) -> handle.touched() - now))
                .filter(this::closeIfUnused)
                .findFirst());
  }

  /// Closes a handle without references.
  ///
  /// @return false if it has references
  boolean closeIfUnused(WorkspaceHandle handle) {
    try (var _ = lock.hold()) {
      if (handle.isClosing() || !handle.closeIfUnused()) {
        return false;
      }
      threads.execute(() -> close(handle));
      return true;
    }
  }

  private MemoryException full() {
    return new MemoryException(
        ErrorCode.QUEUE_FULL,
        "calls are using "
            + config.maxOpen()
            + " workspaces, the maximum that may be open (workspaces.max_open); try again later");
  }

  private static MemoryException stopping() {
    return new MemoryException(ErrorCode.CLOSED, "the daemon is stopping");
  }

  private void open(WorkspaceHandle handle) {
    WorkspaceName name = handle.name();
    try (var _ = WorkspaceScope.of(name.value())) {
      Optional<Instant> lastUsed = stores.note(name).flatMap(StoreNote::lastUsed);
      handle.open(opener.open(name), lastUsed);
      LOG.info("workspace {} is open", name);
    } catch (RuntimeException | Error e) {
      failed(handle, e);
      return;
    }
    failures.forget(name);
    handle.ready().complete(handle);
    handle.release();
    onChange.run();
  }

  private void failed(WorkspaceHandle handle, Throwable cause) {
    MemoryException failure;
    if (cause instanceof MemoryException known && known.code() == ErrorCode.NOT_OWNER) {
      // It works, elsewhere.
      failure = known;
      failures.forget(handle.name());
      LOG.info("{}", failure.getMessage());
    } else {
      failure = failures.remember(handle.name(), cause);
      logged(handle, failure, cause);
    }
    if (mayHave(handle.name())) {
      dues.put(handle.name(), clock.instant().plus(TRY_AGAIN));
    }
    locked(() -> handles.remove(handle.name()));
    handle.ready().completeExceptionally(failure);
    handle.closed().complete(null);
    onChange.run();
  }

  private static void logged(WorkspaceHandle handle, MemoryException failure, Throwable cause) {
    if (cause instanceof MemoryException) {
      LOG.error("{}", failure.getMessage());
      LOG.debug("where workspace {} could not be opened", handle.name(), cause);
    } else {
      LOG.error("workspace {} cannot be opened", handle.name(), cause);
    }
  }

  /// Whether a workspace has a store, as far as can be found out: a database may be away.
  private boolean mayHave(WorkspaceName name) {
    try {
      return stores.has(name);
    } catch (MemoryException e) {
      LOG.debug("nobody knows whether workspace {} has a store", name, e);
      return true;
    }
  }

  /// Closes what was left.
  private void close(WorkspaceHandle handle) {
    WorkspaceName name = handle.name();
    Instant now = clock.instant();
    Optional<Instant> due = Optional.of(now);
    OpenWorkspace workspace = handle.workspace().orElseThrow();
    try (var _ = WorkspaceScope.of(name.value())) {
      Optional<StoreNote> note = note(handle, workspace, now);
      workspace.close();
      if (note.isPresent()) {
        stores.note(name, note.get());
        due = note.get().due();
      }
      LOG.info("workspace {} is closed", name);
    } catch (RuntimeException | Error e) {
      LOG.error("workspace {} could not be closed cleanly", name, e);
    }
    boolean tried = !handle.isCalled();
    due.map(at -> tried && !at.isAfter(now) ? now.plus(TRY_AGAIN) : at)
        .ifPresent(at -> dues.put(name, at));
    locked(() -> handles.remove(name));
    handle.closed().complete(null);
  }

  /// A store that cannot be read is closed without a note, so it is looked at again.
  private Optional<StoreNote> note(WorkspaceHandle handle, OpenWorkspace workspace, Instant now) {
    try {
      WorkspaceReport.Content content = workspace.content();
      return Optional.of(
          new StoreNote(
              handle.lastUsed(now, ticker.nanos()),
              content.events(),
              content.sessions(),
              workspace.due()));
    } catch (RuntimeException e) {
      LOG.warn("the pending work of workspace {} is unknown: {}", handle.name(), e.getMessage());
      return Optional.empty();
    }
  }

  /// The state of those that are open and can be read.
  List<WorkspaceMetrics> metrics() {
    return handles().stream().flatMap(handle -> metrics(handle).stream()).toList();
  }

  /// One that cannot be read must not keep the others from being measured.
  private static Optional<WorkspaceMetrics> metrics(WorkspaceHandle handle) {
    if (!handle.acquire()) {
      return Optional.empty();
    }
    try {
      return handle.workspace().map(OpenWorkspace::metrics);
    } catch (RuntimeException e) {
      LOG.debug("workspace {} is not measured", handle.name(), e);
      return Optional.empty();
    } finally {
      handle.release();
    }
  }

  /// Those that take a place, open or not.
  List<WorkspaceHandle> handles() {
    return List.copyOf(handles.values());
  }

  /// The closed workspace whose work has been due for longest, if any.
  Optional<WorkspaceName> due() {
    Instant now = clock.instant();
    return dues.entrySet().stream()
        .filter(entry -> !entry.getValue().isAfter(now) && !handles.containsKey(entry.getKey()))
        // A deleted workspace must not be created again.
        .filter(entry -> stores.has(entry.getKey()))
        .min(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
  }

  /// Opens a workspace without a call.
  ///
  /// @param mayClose which of the handles without a call may be closed for it
  /// @return empty when there is no place for it, or it has one already
  Optional<WorkspaceHandle> openInBackground(
      WorkspaceName name, Predicate<WorkspaceHandle> mayClose) {
    return locked(() ->
        closing || handles.containsKey(name) || !stores.has(name)
            ? Optional.empty()
            : admit(name, mayClose));
  }

  /// Does something with a workspace, opening it when it is closed, without counting as a call. It
  /// stays open meanwhile.
  ///
  /// @throws MemoryException `NOT_FOUND` when it does not exist, else as [#lease]
  <T> T with(WorkspaceName name, Function<OpenWorkspace, T> work) {
    if (!stores.has(name)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no workspace %s; `memory workspaces` lists them".formatted(name));
    }
    WorkspaceHandle handle = acquired(name);
    try {
      return work.apply(handle.workspace().orElseThrow());
    } finally {
      handle.release();
    }
  }

  private WorkspaceHandle acquired(WorkspaceName name) {
    WorkspaceHandle there = handles.get(name);
    if (there != null && there.acquire()) {
      return there;
    }
    long now = ticker.nanos();
    Optional<WorkspaceHandle> background =
        openInBackground(name, handle -> now - handle.touched() > EVICTABLE_AFTER.toNanos());
    if (background.isPresent() && MemoryException.join(background.get().ready()).acquire()) {
      return background.get();
    }
    // It is being opened or closed, or there is no place without a call's right to one.
    try (var _ = MemoryException.join(lease(Optional.of(name), Access.READ))) {
      WorkspaceHandle called = handles.get(name);
      if (called != null && called.acquire()) {
        return called;
      }
    }
    throw stopping();
  }

  /// What does not work in the workspace of callers that name none: the daemon's health. Those of
  /// the others show in their reports.
  List<String> problems() {
    return reports.outages(byDefault);
  }

  /// Whether each workspace takes events, as far as is known.
  Map<WorkspaceName, Boolean> health() {
    return reports.health();
  }

  @Override
  public Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page) {
    return reports.list(page);
  }

  @Override
  public Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page) {
    return reports.troubled(page);
  }

  @Override
  public CompletableFuture<Boolean> create(WorkspaceName name) {
    boolean there = handles.containsKey(name) || stores.has(name);
    if (!there && !name.isForNew()) {
      return CompletableFuture.failedFuture(name.notForNew("name"));
    }
    return lease(Optional.of(name), Access.WRITE)
        .thenApply(lease -> {
          lease.close();
          return !there;
        });
  }

  /// The workspace of callers that name none can be deleted, too; its next call finds it empty.
  @Override
  public CompletableFuture<Long> delete(WorkspaceName name) {
    return delete(name, DELETE_ATTEMPTS);
  }

  private CompletableFuture<Long> delete(WorkspaceName name, int attempts) {
    try (var _ = lock.hold()) {
      if (closing) {
        throw stopping();
      }
      WorkspaceHandle handle = handles.get(name);
      if (handle != null && handle.isClosing()) {
        return handle.closed().thenCompose(_ -> delete(name, attempts));
      }
      if (handle == null) {
        WorkspaceHandle kept = keepClosed(name);
        return CompletableFuture.supplyAsync(() -> remove(kept), threads);
      }
      if (handle.closeIfUnused()) {
        return CompletableFuture.supplyAsync(() -> remove(handle), threads);
      }
      return deleteLater(handle, attempts);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Prevents a closed workspace from being opened. Called under the lock.
  private WorkspaceHandle keepClosed(WorkspaceName name) {
    if (!stores.has(name)) {
      throw unknown(name);
    }
    WorkspaceHandle handle = WorkspaceHandle.keptClosed(name, ticker);
    handles.put(name, handle);
    return handle;
  }

  /// Retries while the handle has references, which may be released soon, or is being opened.
  private CompletableFuture<Long> deleteLater(WorkspaceHandle handle, int attempts) {
    if (attempts <= 1) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "calls are using the workspace %s; end them, including open streams, then delete it again"
              .formatted(handle.name()));
    }
    return handle
        .ready()
        .handle((_, _) -> attempts - 1)
        .thenComposeAsync(
            left -> delete(handle.name(), left),
            CompletableFuture.delayedExecutor(DELETE_PAUSE.toMillis(), TimeUnit.MILLISECONDS));
  }

  /// Closes the workspace if it is open, and deletes it.
  private long remove(WorkspaceHandle handle) {
    WorkspaceName name = handle.name();
    try (var _ = WorkspaceScope.of(name.value())) {
      handle.workspace().ifPresent(this::closeBeforeRemoval);
      long bytes = stores.bytes(name);
      opener.remove(name);
      failures.forget(name);
      LOG.info("workspace {} is deleted", name);
      return bytes;
    } finally {
      dues.remove(name);
      locked(() -> handles.remove(name));
      handle.closed().complete(null);
      onChange.run();
    }
  }

  private void closeBeforeRemoval(OpenWorkspace workspace) {
    try {
      workspace.close();
    } catch (RuntimeException e) {
      LOG.warn("a workspace that is deleted could not be closed cleanly", e);
    }
  }

  /// Closes all stores in parallel; no handle can be acquired any more. A second call does nothing.
  @Override
  public void close() {
    List<WorkspaceHandle> all =
        locked(() -> {
          closing = true;
          return handles();
        });
    all.forEach(handle -> handle.ready().exceptionally(_ -> handle).join());
    locked(() -> {
      all.stream()
          .filter(WorkspaceHandle::forceClose)
          .forEach(handle -> threads.execute(() -> close(handle)));
      return all;
    });
    all.forEach(handle -> handle.closed().join());
    threads.shutdown();
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    try (var _ = lock.hold()) {
      return action.get();
    }
  }
}
