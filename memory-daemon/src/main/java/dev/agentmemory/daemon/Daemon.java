package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.Version;
import dev.agentmemory.service.MemoryServer;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.toc.BpeTokens;
import dev.agentmemory.toc.summary.ExtractiveSummarizer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running daemon: one place puts the parts together and takes them apart in reverse order.
public final class Daemon implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<Optional<MemoryServer>> running =
      new AtomicReference<>(Optional.empty());
  private int port;

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
    RocksStore store =
        RocksStore.open(
            config.db().resolve(config.workspaces().agentId()), config.storage(), clock);
    parts.push(store);
    var crew = new PooledCrew(Runtime.getRuntime().availableProcessors());
    parts.push(crew);
    var workspace =
        new OpenWorkspace(
            clock,
            store,
            config,
            new BpeTokens(),
            new ExtractiveSummarizer(),
            crew,
            problem -> running.get().ifPresent(server -> server.serving(false)));
    parts.push(workspace);
    Optional<String> token = config.loopbackOpen() ? Optional.empty() : Optional.of(data.token());
    MemoryServer server =
        MemoryServer.start(
            RpcConfig.loopback(config.port(), token).withHost(config.host()), workspace.services());
    parts.push(server);
    port = server.port();
    data.announce(config.host(), port, Version.current());
    parts.push(data::withdraw);
    running.set(Optional.of(server));
    server.serving(workspace.problems().isEmpty());
    parts.push(HealthWatch.start(workspace::problems, server::serving));
    LOG.info(
        "agent-memory {} serves {}:{} from {}",
        Version.current(),
        config.host(),
        port,
        config.data());
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
