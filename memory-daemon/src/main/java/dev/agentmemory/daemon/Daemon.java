package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.Version;
import dev.agentmemory.service.MemoryServer;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.service.WorkspaceSource;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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
  private int port;

  /// What calls are for, and what is backed up.
  private record Served(WorkspaceSource workspaces, BackupRuns.Stores stores) {}

  private Daemon() {}

  /// Opens the store, starts what works on it, then takes calls. What was opened is closed again
  /// when something fails.
  ///
  /// @throws dev.agentmemory.types.MemoryException when the directory, the store or the port cannot
  ///   be used
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
    var data = new DataDirectory(config.data());
    parts.push(data.lock());
    var opener = new WorkspaceOpener(clock, config, this::tellHealth);
    parts.push(opener);
    Served served =
        switch (config.workspaces().mode()) {
          case SEPARATE -> separate(clock, config, opener);
          case UNIFIED -> unified(opener);
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
    data.announce(config.host(), port, Version.current());
    parts.push(data::withdraw);
    running.set(Optional.of(server));
    Supplier<List<String>> told = problems.get();
    server.serving(told.get().isEmpty());
    parts.push(HealthWatch.start(told, server::serving));
    LOG.info(
        "agent-memory {} serves {}:{} from {}",
        Version.current(),
        config.host(),
        port,
        config.data());
  }

  /// The workspaces, that of callers who name none open already: a daemon that cannot open it does
  /// not start.
  private Served separate(InstantSource clock, DaemonConfig config, WorkspaceOpener opener) {
    var workspaces =
        new Workspaces(
            clock, System::nanoTime, config.db(), config.workspaces(), opener, this::tellHealth);
    parts.push(workspaces);
    problems.set(workspaces::problems);
    try (var _ = workspaces.lease(Optional.empty()).join()) {
      LOG.debug("the workspace {} can be used", config.workspaces().agentId());
    } catch (CompletionException e) {
      throw e.getCause() instanceof MemoryException told ? told : e;
    }
    var caretaker =
        new Caretaker(clock, System::nanoTime, workspaces, config.workspaces().idleClose());
    parts.push(caretaker);
    caretaker.start();
    return new Served(workspaces, new BackupStores(workspaces, config));
  }

  private Served unified(WorkspaceOpener opener) {
    UnifiedWorkspaces workspaces = opener.openShared();
    parts.push(workspaces);
    problems.set(workspaces::problems);
    return new Served(workspaces, workspaces.stores());
  }

  private void tellHealth() {
    running.get().ifPresent(server -> server.serving(problems.get().get().isEmpty()));
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
