package dev.agentmemory.cli.demo;

import dev.agentmemory.cli.process.DaemonProcess;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// A daemon in a temporary directory. `close` stops it and deletes the directory; so does an
/// interrupt of this process.
public final class DemoDaemon implements AutoCloseable {

  private static final Duration STOP = Duration.ofSeconds(10);

  private final Terminal screen;
  private final Path data;
  private final DaemonProcess daemon;
  private final Thread guard;
  private final AtomicBoolean closed = new AtomicBoolean();
  private int port;
  private volatile boolean well = true;

  private DemoDaemon(Terminal screen, Path data, DaemonProcess daemon) {
    this.screen = screen;
    this.data = data;
    this.daemon = daemon;
    this.guard = Thread.ofPlatform().name("demo-guard").unstarted(this::tearDown);
  }

  public static DemoDaemon open(Terminal screen, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("agent-memory-demo-");
    // The demo uses the default settings, not those of this user's daemon.
    Map<String, String> clean = new HashMap<>(environment);
    clean.keySet().removeIf(name -> name.startsWith("MEMORY_"));
    screen.progress("starting a daemon ...");
    var demo =
        new DemoDaemon(
            screen,
            data,
            DaemonProcess.spawn(data, false, List.of("--no-user-config", "--port", "0"), clean));
    Runtime.getRuntime().addShutdownHook(demo.guard);
    try {
      Endpoint endpoint = demo.daemon.awaitServing();
      demo.port = endpoint.port();
    } catch (RuntimeException | InterruptedException e) {
      demo.close();
      throw e;
    }
    screen.progress("");
    return demo;
  }

  MemoryClient connect() {
    return MemoryClient.connect(Endpoint.find(data));
  }

  long pid() {
    return daemon.pid();
  }

  /// Whether nothing has failed so far.
  public boolean well() {
    return well;
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    tearDown();
    try {
      Runtime.getRuntime().removeShutdownHook(guard);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and runs the guard, which is idempotent.
    }
  }

  private void tearDown() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!daemon.stop(STOP)) {
        screen.error("the daemon did not stop cleanly; the end of its log:");
        screen.error(daemon.lastWords());
        well = false;
      }
      delete();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Already deleted.
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + data, e);
    }
  }
}
