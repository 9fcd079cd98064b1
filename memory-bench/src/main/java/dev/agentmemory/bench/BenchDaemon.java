package dev.agentmemory.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A packaged daemon in a process of its own, on a free port. The launcher replaces itself by the
/// daemon, so the process is the daemon's.
final class BenchDaemon implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration STOP = Duration.ofMinutes(2);
  private static final Duration DRAIN = Duration.ofMinutes(30);
  private static final int POLL_MILLIS = 20;

  /// How exactly the start of a daemon can be timed.
  static final int START_POLL_MILLIS = 2;

  /// What a process answers that ends by itself after SIGTERM, or by the signal's own default.
  private static final Set<Integer> GOOD_ENDS = Set.of(0, 128 + 15);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path log;
  private final Endpoint endpoint;
  private final MemoryClient client;
  private volatile boolean over;

  private BenchDaemon(Process process, Path data, Path log) {
    this.process = process;
    this.log = log;
    await("the daemon to come up", START, START_POLL_MILLIS, () -> announced(data));
    this.endpoint = Endpoint.find(data);
    this.client = MemoryClient.connect(endpoint);
  }

  /// @param work where the process runs and leaves its log
  /// @param javaOptions for its JVM, on top of those of the launcher
  /// @param settings such as `workspaces.max_open=64`
  static BenchDaemon start(
      Path launcher, Path work, String name, List<String> javaOptions, String... settings) {
    return start(MemoryClient::serving, launcher, work, name, javaOptions, settings);
  }

  /// The same with a daemon that need not say that it serves.
  static BenchDaemon startDamaged(Path launcher, Path work, String name, String... settings) {
    return start(BenchDaemon::answers, launcher, work, name, List.of(), settings);
  }

  private static BenchDaemon start(
      Predicate<MemoryClient> up,
      Path launcher,
      Path work,
      String name,
      List<String> javaOptions,
      String... settings) {
    Path data = work.resolve(name);
    Path log = work.resolve(name + ".log");
    var command = new ArrayList<String>();
    command.add(launcher.toString());
    command.addAll(
        List.of(
            "start", "--foreground", "--no-user-config", "--data", data.toString(), "--port", "0"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    Process process;
    try {
      var builder =
          new ProcessBuilder(command)
              .directory(work.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      if (!javaOptions.isEmpty()) {
        builder
            .environment()
            .merge("MEMORY_JAVA_OPTS", String.join(" ", javaOptions), (a, b) -> a + " " + b);
      }
      process = Children.start(builder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + launcher, e);
    }
    try {
      var daemon = new BenchDaemon(process, data, log);
      daemon.await("the daemon to serve", START, START_POLL_MILLIS, () -> up.test(daemon.client));
      return daemon;
    } catch (RuntimeException e) {
      process.destroyForcibly();
      awaitEnd(process);
      throw e;
    }
  }

  /// Whether it answers, be it with a refusal.
  private static boolean answers(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return e.code() != ErrorCode.UNREACHABLE;
    }
  }

  long pid() {
    return process.pid();
  }

  MemoryClient client() {
    return client;
  }

  /// A client with a connection of its own; whoever asks for it closes it.
  MemoryClient another() {
    return MemoryClient.connect(endpoint);
  }

  /// A client for a workspace of its own; whoever asks for it closes it.
  MemoryClient client(String workspace) {
    return MemoryClient.connect(endpoint.withWorkspace(Optional.of(new WorkspaceName(workspace))));
  }

  /// Memory of the process that no file stands for, in MiB: heap, threads, native.
  ///
  /// @throws IllegalStateException where the system does not tell
  double anonymousMiB() {
    return AnonymousMemory.mib(process.pid());
  }

  /// Waits until every event is in the table of contents and all is rolled up.
  void awaitToc() {
    awaitToc(client);
  }

  /// The same for the workspace of a client.
  void awaitToc(MemoryClient of) {
    await("the table of contents", DRAIN, () -> report(of).tocComplete());
  }

  /// Waits until the table of contents has read the whole outbox; rollups may still be due.
  void awaitDrained() {
    await(
        "the outbox to be read",
        DRAIN,
        () -> {
          DaemonReport report = report(client);
          return report.consumers().values().stream()
              .allMatch(cursor -> cursor >= report.store().outboxHead());
        });
  }

  /// Has the outbox trimmed until nothing is left of it. The index keeps what it has not committed
  /// yet, some seconds.
  void awaitTrimmed() {
    await(
        "the outbox to be trimmed",
        DRAIN,
        () -> {
          var _ = client.jobs().run("outbox_trim");
          StoreStats store = report(client).store();
          return store.outboxTail() > store.outboxHead();
        });
  }

  /// Waits until a search of the client's workspace finds so many events, and nothing is left to do
  /// for the index but vectors.
  void awaitIndexed(MemoryClient of, long events) {
    await(
        "the index to hold " + events + " events",
        DRAIN,
        () -> {
          SearchReport index = of.search().status();
          return index.complete() && index.behind() == 0 && index.events() >= events;
        });
  }

  /// Waits until the index has read the whole outbox, so that it takes no more time from others.
  void awaitIndexed() {
    awaitIndexed(client, 0);
  }

  /// Waits until every event that the index of the client's workspace holds has its vector, without
  /// waiting for the time at which the daemon would begin by itself.
  ///
  /// @throws MemoryException `MODEL_UNAVAILABLE` when the model cannot be asked
  void awaitEmbedded(MemoryClient of) {
    await(
        "the vectors",
        DRAIN,
        () -> {
          if (of.search().status().toEmbed() == 0) {
            return true;
          }
          var _ = of.jobs().run(Workers.EMBEDDING);
          return false;
        });
  }

  /// Waits for something else that the daemon does within some minutes.
  void awaitUntil(String what, BooleanSupplier condition) {
    await(what, DRAIN, condition);
  }

  private static DaemonReport report(MemoryClient of) {
    DaemonReport report = of.admin().status();
    if (!report.problems().isEmpty()) {
      throw new IllegalStateException("the daemon has stopped working: " + report.problems());
    }
    return report;
  }

  /// Ends the process without any warning, as the kernel would when memory is short.
  void kill() {
    over = true;
    process.destroyForcibly();
    awaitEnd(process);
    client.close();
  }

  /// Ends the process as an operator would. A second call does nothing.
  ///
  /// @throws IllegalStateException when it does not end in good order
  @Override
  public void close() {
    if (over) {
      return;
    }
    over = true;
    client.close();
    process.destroy();
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        awaitEnd(process);
      }
      if (!GOOD_ENDS.contains(process.exitValue())) {
        throw new IllegalStateException(
            "the daemon ended with status " + process.exitValue() + tail());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /// The same for a daemon that may have died or may not end.
  void closeOrKill() {
    try {
      close();
    } catch (IllegalStateException e) {
      kill();
    }
  }

  private static void awaitEnd(Process process) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A file left over from a daemon that was killed names another process.
  private boolean announced(Path data) {
    Path file = data.resolve("daemon.json");
    try {
      return Files.exists(file)
          && JSON.readTree(Files.readString(file)).path("pid").asLong() == process.pid();
    } catch (IOException e) {
      // Left over and damaged; the daemon replaces it as a whole.
      return false;
    }
  }

  private void await(String what, Duration atMost, BooleanSupplier condition) {
    await(what, atMost, POLL_MILLIS, condition);
  }

  private void await(String what, Duration atMost, int pollMillis, BooleanSupplier condition) {
    long end = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new IllegalStateException("the daemon ended while waiting for " + what + tail());
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain for " + what + tail());
      }
      try {
        Thread.sleep(pollMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for " + what, e);
      }
    }
  }

  private String tail() {
    try {
      String text = Files.readString(log);
      return "; it said:\n" + text.substring(Math.max(0, text.length() - 2000));
    } catch (IOException e) {
      return "; what it said cannot be read: " + e.getMessage();
    }
  }
}
