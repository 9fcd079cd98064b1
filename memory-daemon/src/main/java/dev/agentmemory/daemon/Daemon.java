package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import java.util.concurrent.CountDownLatch;

/// A running daemon.
public final class Daemon implements AutoCloseable {

  private final DaemonConfig config;
  private final CountDownLatch closed = new CountDownLatch(1);

  private Daemon(DaemonConfig config) {
    this.config = config;
  }

  public static Daemon start(DaemonConfig config) {
    return new Daemon(config);
  }

  public int port() {
    return config.port();
  }

  /// Waits until the daemon was closed.
  public void await() throws InterruptedException {
    closed.await();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
