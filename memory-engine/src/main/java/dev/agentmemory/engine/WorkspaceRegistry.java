package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.engine.internal.folder.WorkspaceFailures;
import dev.agentmemory.engine.internal.folder.WorkspaceFolders;
import dev.agentmemory.engine.internal.folder.WorkspaceNote;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workspaces of a daemon, each with a store of its own, opened when somebody needs it.
///
/// Idea: a call finds the [WorkspaceHandle] of its workspace in a map and enters with one atomic
/// step; nothing else is on the way of a call for an open workspace. Every change of the map is
/// decided under one lock and carried out outside of it, on threads of its own: opening and closing
/// take as long as the disk likes.
///
/// Invariants: a workspace has at most one handle, so its store is opened once however many ask. A
/// store is closed only when nobody is inside. At most `maxOpen` stores are open: beyond that the
/// one unused for longest is closed, and only then the new one opened.
public final class WorkspaceRegistry implements WorkspaceSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceRegistry.class);

  /// When work that could not be done, or not be finished, is tried again by itself.
  private static final Duration TRY_AGAIN = Duration.ofHours(1);

  /// A workspace that was used more recently is not closed for one that is to be backed up, unless
  /// there is no other way.
  private static final Duration GIVES_WAY = Duration.ofMinutes(1);

  /// How long a deletion waits for calls to end.
  private static final int DELETE_ATTEMPTS = 100;

  private static final Duration DELETE_PAUSE = Duration.ofMillis(20);

  private final InstantSource clock;
  private final Ticker ticker;
  private final WorkspacesConfig config;
  private final WorkspaceFolders folders;
  private final Opener opener;
  private final Runnable onChange;
  private final WorkspaceName byDefault;
  private final WorkspaceFailures failures;
  private final WorkspaceReports reports;
  private final AccountStore account;
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
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closing;

  /// Opens a workspace in its folder.
  interface Opener {

    /// @throws MemoryException when the store cannot be opened
    OpenWorkspace open(WorkspaceName name, Path directory);

    /// @throws MemoryException when the store cannot be opened
    RocksStore openAccount();

    /// Deletes a workspace that is not open.
    ///
    /// @throws MemoryException when its files cannot be deleted
    void remove(WorkspaceName name);
  }

  /// @param folders of the workspaces
  /// @param onChange is run after a workspace was opened, or could not be
  WorkspaceRegistry(
      InstantSource clock,
      Ticker ticker,
      WorkspaceFolders folders,
      WorkspacesConfig config,
      Opener opener,
      Runnable onChange) {
    this.clock = clock;
    this.ticker = ticker;
    this.config = config;
    this.folders = folders;
    this.opener = opener;
    this.onChange = onChange;
    this.byDefault = new WorkspaceName(config.agentId());
    this.account = new AccountStore(opener::openAccount);
    this.failures = new WorkspaceFailures(ticker);
    this.reports = new WorkspaceReports(clock, ticker, folders, failures, handles);
    Optional<Instant> now = Optional.of(clock.instant());
    for (WorkspaceName name : folders.names()) {
      // Without a note it was open when a daemon ended: nobody knows what is left to do.
      folders.note(name).map(WorkspaceNote::due).orElse(now).ifPresent(due -> dues.put(name, due));
    }
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    WorkspaceName name = asked.orElse(byDefault);
    WorkspaceHandle handle = handles.get(name);
    return handle != null && handle.enter()
        ? CompletableFuture.completedFuture(handle.lease())
        : leaseLater(name, access);
  }

  private CompletableFuture<Lease> leaseLater(WorkspaceName name, Access access) {
    lock.lock();
    try {
      WorkspaceHandle handle = handles.get(name);
      if (handle == null) {
        return whenReady(admitted(name, access));
      }
      if (handle.isLeaving()) {
        return handle.gone().thenCompose(_ -> lease(Optional.of(name), access));
      }
      return whenReady(handle);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.unlock();
    }
  }

  /// Under the lock.
  private WorkspaceHandle admitted(WorkspaceName name, Access access) {
    Optional<MemoryException> failed = failures.recent(name);
    if (failed.isPresent()) {
      throw failed.get();
    }
    if (access == Access.READ && !name.equals(byDefault) && !folders.has(name)) {
      throw unknown(name);
    }
    return admit(name, _ -> true).orElseThrow(this::full);
  }

  /// The refusal of a name that no workspace has.
  static MemoryException unknown(WorkspaceName name) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        ("there is no workspace %s; `memory workspaces` lists the workspaces. Create it by sending"
                + " an event to it or with `memory workspaces create %s`")
            .formatted(name, name));
  }

  /// Whoever opens a handle stays inside until all who wait for it have entered; and under the lock
  /// nobody can leave one that is open.
  private static CompletableFuture<Lease> whenReady(WorkspaceHandle handle) {
    return handle
        .ready()
        .thenApply(opened -> {
          if (!opened.enter()) {
            throw stopping();
          }
          return opened.lease();
        });
  }

  /// Gives a workspace a handle, in place of another one if need be, and sees to its opening. Under
  /// the lock.
  ///
  /// @param mayGo which of the handles without a call may be closed for it
  /// @return empty when all are needed
  private Optional<WorkspaceHandle> admit(WorkspaceName name, Predicate<WorkspaceHandle> mayGo) {
    if (closing) {
      throw stopping();
    }
    var handle = new WorkspaceHandle(name, ticker);
    Optional<WorkspaceHandle> before = Optional.empty();
    if (isFull()) {
      before = giveWay(mayGo);
      if (before.isEmpty()) {
        return Optional.empty();
      }
      before.get().setSuccessor(handle);
    }
    handles.put(name, handle);
    dues.remove(name);
    CompletableFuture<Void> free =
        before.map(WorkspaceHandle::gone).orElseGet(() -> CompletableFuture.completedFuture(null));
    var _ = free.thenRunAsync(() -> open(handle), threads);
    return Optional.of(handle);
  }

  /// A handle that is left for another one does not count: the other one does already.
  private boolean isFull() {
    return handles.values().stream().filter(handle -> !handle.hasSuccessor()).count()
        >= config.maxOpen();
  }

  /// A handle that is being left anyway, else the one unused for longest, which then is.
  private Optional<WorkspaceHandle> giveWay(Predicate<WorkspaceHandle> mayGo) {
    List<WorkspaceHandle> all =
        handles.values().stream().filter(handle -> !handle.hasSuccessor()).toList();
    long now = ticker.nanos();
    return all.stream()
        .filter(WorkspaceHandle::isLeaving)
        .findFirst()
        .or(() ->
            all.stream()
                .filter(handle -> handle.isEmpty() && mayGo.test(handle))
                .sorted(
                    Comparator.comparingLong((WorkspaceHandle handle) -> handle.touched() - now))
                .filter(this::letGo)
                .findFirst());
  }

  /// Closes a handle in which nobody is.
  ///
  /// @return false when somebody is
  boolean letGo(WorkspaceHandle handle) {
    lock.lock();
    try {
      if (handle.isLeaving() || !handle.leave()) {
        return false;
      }
      threads.execute(() -> close(handle));
      return true;
    } finally {
      lock.unlock();
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
    Path directory = folders.folder(name);
    try (var _ = WorkspaceScope.of(name.value())) {
      Optional<Instant> lastUsed = folders.note(name).flatMap(WorkspaceNote::lastUsed);
      handle.open(opener.open(name, directory), lastUsed);
      LOG.info("workspace {} is open", name);
    } catch (RuntimeException | Error e) {
      failed(handle, e);
      return;
    }
    failures.forget(name);
    handle.ready().complete(handle);
    handle.exit();
    onChange.run();
  }

  private void failed(WorkspaceHandle handle, Throwable cause) {
    MemoryException failure = failures.remember(handle.name(), cause);
    if (cause instanceof MemoryException) {
      LOG.error("{}", failure.getMessage());
      LOG.debug("where workspace {} could not be opened", handle.name(), cause);
    } else {
      LOG.error("workspace {} cannot be opened", handle.name(), cause);
    }
    if (folders.has(handle.name())) {
      dues.put(handle.name(), clock.instant().plus(TRY_AGAIN));
    }
    locked(() -> handles.remove(handle.name()));
    handle.ready().completeExceptionally(failure);
    handle.gone().complete(null);
    onChange.run();
  }

  /// Closes what was left.
  private void close(WorkspaceHandle handle) {
    WorkspaceName name = handle.name();
    Instant now = clock.instant();
    Optional<Instant> due = Optional.of(now);
    OpenWorkspace workspace = handle.workspace().orElseThrow();
    try (var _ = WorkspaceScope.of(name.value())) {
      Optional<WorkspaceNote> note = note(handle, workspace, now);
      workspace.close();
      if (note.isPresent()) {
        note.get().write(folders.folder(name));
        due = note.get().due();
      }
      LOG.info("workspace {} is closed", name);
    } catch (RuntimeException | Error | IOException e) {
      LOG.error("workspace {} could not be closed in good order", name, e);
    }
    boolean tried = !handle.isCalled();
    due.map(at -> tried && !at.isAfter(now) ? now.plus(TRY_AGAIN) : at)
        .ifPresent(at -> dues.put(name, at));
    locked(() -> handles.remove(name));
    handle.gone().complete(null);
  }

  /// A store that cannot be read is closed without a note, so it is looked at again.
  private Optional<WorkspaceNote> note(
      WorkspaceHandle handle, OpenWorkspace workspace, Instant now) {
    try {
      return Optional.of(
          new WorkspaceNote(
              handle.lastUsed(now, ticker.nanos()), workspace.content(), workspace.due()));
    } catch (RuntimeException e) {
      LOG.warn("workspace {} does not say what is left to do: {}", handle.name(), e.getMessage());
      return Optional.empty();
    }
  }

  /// The store of what belongs to no workspace; opened with the first call.
  ///
  /// @throws MemoryException when it cannot be opened
  RocksStore account() {
    return account.get();
  }

  WorkspaceFolders folders() {
    return folders;
  }

  /// Those that take a place, open or not.
  List<WorkspaceHandle> handles() {
    return List.copyOf(handles.values());
  }

  /// The closed workspace whose work waits for longest, if any does.
  Optional<WorkspaceName> due() {
    Instant now = clock.instant();
    return dues.entrySet().stream()
        .filter(entry -> !entry.getValue().isAfter(now) && !handles.containsKey(entry.getKey()))
        // What somebody has deleted must not come back.
        .filter(entry -> folders.has(entry.getKey()))
        .min(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
  }

  /// Opens a workspace without a call.
  ///
  /// @param mayGo which of the handles without a call may be closed for it
  /// @return empty when there is no place for it, or it has one already
  Optional<WorkspaceHandle> visit(WorkspaceName name, Predicate<WorkspaceHandle> mayGo) {
    return locked(() ->
        closing || handles.containsKey(name) || !folders.has(name)
            ? Optional.empty()
            : admit(name, mayGo));
  }

  /// Does something with a workspace, opening it when it is closed, without counting as a call. It
  /// stays open meanwhile.
  ///
  /// @throws MemoryException `NOT_FOUND` when it does not exist, else as [#lease]
  <T> T with(WorkspaceName name, Function<OpenWorkspace, T> work) {
    if (!folders.has(name)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no workspace %s; `memory workspaces` lists them".formatted(name));
    }
    WorkspaceHandle handle = entered(name);
    try {
      return work.apply(handle.workspace().orElseThrow());
    } finally {
      handle.exit();
    }
  }

  private WorkspaceHandle entered(WorkspaceName name) {
    WorkspaceHandle there = handles.get(name);
    if (there != null && there.enter()) {
      return there;
    }
    long now = ticker.nanos();
    Optional<WorkspaceHandle> visited =
        visit(name, handle -> now - handle.touched() > GIVES_WAY.toNanos());
    try {
      if (visited.isPresent() && visited.get().ready().join().enter()) {
        return visited.get();
      }
      // It is being opened or closed, or there is no place without a call's right to one.
      try (var _ = lease(Optional.of(name), Access.READ).join()) {
        WorkspaceHandle called = handles.get(name);
        if (called != null && called.enter()) {
          return called;
        }
      }
    } catch (CompletionException e) {
      throw e.getCause() instanceof MemoryException told ? told : e;
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
    boolean there = handles.containsKey(name) || folders.has(name);
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
    lock.lock();
    try {
      if (closing) {
        throw stopping();
      }
      WorkspaceHandle handle = handles.get(name);
      if (handle != null && handle.isLeaving()) {
        return handle.gone().thenCompose(_ -> delete(name, attempts));
      }
      if (handle == null) {
        WorkspaceHandle kept = keepClosed(name);
        return CompletableFuture.supplyAsync(() -> remove(kept), threads);
      }
      if (handle.leave()) {
        return CompletableFuture.supplyAsync(() -> remove(handle), threads);
      }
      return deleteLater(handle, attempts);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.unlock();
    }
  }

  /// Takes the place of a workspace that is not open. Under the lock.
  private WorkspaceHandle keepClosed(WorkspaceName name) {
    if (!folders.has(name)) {
      throw unknown(name);
    }
    WorkspaceHandle handle = WorkspaceHandle.shut(name, ticker);
    handles.put(name, handle);
    return handle;
  }

  /// Somebody is inside, who may only be about to leave, or it is being opened.
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

  /// Closes and deletes what was left, or never open.
  private long remove(WorkspaceHandle handle) {
    WorkspaceName name = handle.name();
    try (var _ = WorkspaceScope.of(name.value())) {
      handle.workspace().ifPresent(this::closeBeforeRemoval);
      long bytes = folders.diskBytes(name);
      opener.remove(name);
      failures.forget(name);
      LOG.info("workspace {} is deleted", name);
      return bytes;
    } finally {
      dues.remove(name);
      locked(() -> handles.remove(name));
      handle.gone().complete(null);
      onChange.run();
    }
  }

  private void closeBeforeRemoval(OpenWorkspace workspace) {
    try {
      workspace.close();
    } catch (RuntimeException e) {
      LOG.warn("a workspace that is deleted could not be closed in good order", e);
    }
  }

  /// Closes all stores, side by side; nobody gets in any more. A second call does nothing.
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
          .filter(WorkspaceHandle::forceLeave)
          .forEach(handle -> threads.execute(() -> close(handle)));
      return all;
    });
    all.forEach(handle -> handle.gone().join());
    account.close();
    threads.shutdown();
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
