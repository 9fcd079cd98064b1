package dev.agentmemory.daemon;

import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.Version;
import dev.agentmemory.service.MemoryServer;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.storage.StoreLocation;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running daemon: one place puts the parts together and takes them apart in reverse order.
public final class Daemon implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<Optional<MemoryServer>> running =
      new AtomicReference<>(Optional.empty());
  private final AtomicReference<Supplier<List<String>>> problems = new AtomicReference<>(List::of);
  private final AtomicReference<Supplier<Map<WorkspaceName, Boolean>>> health =
      new AtomicReference<>(Map::of);
  private int port;

  /// What calls are for, and what is backed up.
  private record Served(WorkspaceSource workspaces, BackupRuns.Stores stores) {}

  private Daemon() {}

  /// Opens the store, starts what works on it, then takes calls. What was opened is closed again
  /// when something fails.
  ///
  /// A store that cannot be opened does not keep the daemon from starting: its calls fail with the
  /// reason, and health tells it.
  ///
  /// @throws dev.agentmemory.types.MemoryException when the directory or the port cannot be used
  public static Daemon start(DaemonConfig config) {
    var daemon = new Daemon();
    try {
      daemon.open(config);
      return daemon;
    } catch (RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
  }

  private void open(DaemonConfig config) {
    InstantSource clock = InstantSource.system();
    var data = new DataDirectory(clock, config.data(), config.db());
    parts.push(data.lock());
    var opener = new WorkspaceOpener(clock, config, this::tellHealth);
    parts.push(opener);
    Served served =
        switch (config.workspaces().mode()) {
          case SEPARATE -> separate(clock, config, opener);
          case UNIFIED -> unified(config, opener);
        };
    Optional<String> token = config.loopbackOpen() ? Optional.empty() : Optional.of(data.token());
    MemoryServer server =
        MemoryServer.start(
            clock,
            RpcConfig.loopback(config.port(), token).withHost(config.host()),
            served.workspaces(),
            new BackupRuns(System::nanoTime, opener.backups(), served.stores()));
    parts.push(server);
    port = server.port();
    running.set(Optional.of(server));
    // Before anybody can find the daemon: the first answer is the right one.
    tellHealth();
    data.announce(config.host(), port, Version.current());
    parts.push(data::withdraw);
    parts.push(HealthWatch.start(problems.get(), _ -> tellHealth()));
    LOG.info(
        "agent-memory {} serves {}:{} from {}",
        Version.current(),
        config.host(),
        port,
        config.data());
  }

  /// The workspaces. That of callers who name none is opened at once; when that fails the others
  /// are served all the same.
  private Served separate(InstantSource clock, DaemonConfig config, WorkspaceOpener opener) {
    var folders = new WorkspaceFolders(config.db(), config.data().resolve(StoreLocation.WITNESSES));
    var workspaces =
        new Workspaces(
            clock, System::nanoTime, folders, config.workspaces(), opener, this::tellHealth);
    parts.push(workspaces);
    problems.set(workspaces::problems);
    health.set(workspaces::health);
    try (var _ = workspaces.lease(Optional.empty(), Access.WRITE).join()) {
      LOG.debug("the workspace {} can be used", config.workspaces().agentId());
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof MemoryException)) {
        throw e;
      }
      LOG.debug("the daemon starts without workspace {}", config.workspaces().agentId(), e);
    }
    var caretaker =
        new Caretaker(clock, System::nanoTime, workspaces, config.workspaces().idleClose());
    parts.push(caretaker);
    caretaker.start();
    return new Served(workspaces, new BackupStores(workspaces, config));
  }

  private Served unified(DaemonConfig config, WorkspaceOpener opener) {
    var workspaces =
        new UnifiedWorkspaces(
            System::nanoTime,
            opener,
            new WorkspaceName(config.workspaces().agentId()),
            this::tellHealth);
    parts.push(workspaces);
    problems.set(workspaces::problems);
    return new Served(workspaces, workspaces.stores());
  }

  private void tellHealth() {
    running
        .get()
        .ifPresent(server -> {
          server.serving(problems.get().get().isEmpty());
          server.serving(health.get().get());
        });
  }

  /// The port on which calls are taken.
  public int port() {
    return port;
  }

  /// Waits until the daemon was closed.
  public void await() throws InterruptedException {
    closed.await();
  }

  /// Takes no more calls, lets those in progress end, and closes everything. A second call does
  /// nothing.
  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.error("could not close {}", part.getClass().getSimpleName(), e);
      }
    }
    closed.countDown();
  }
}
