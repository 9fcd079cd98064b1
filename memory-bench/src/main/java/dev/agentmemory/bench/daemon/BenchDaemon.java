package dev.agentmemory.bench.daemon;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A packaged daemon in its own process, on a free port. The launcher replaces itself by the
/// daemon, so the process is the daemon's.
public final class BenchDaemon implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(10);
  private static final Duration STOP = Duration.ofMinutes(2);
  private static final Duration DRAIN = Duration.ofMinutes(30);
  private static final int POLL_MILLIS = 20;

  /// Interval of the polls that time the start of a daemon.
  public static final int START_POLL_MILLIS = 2;

  private static final String EXTRACTION = "memory_extraction";

  /// Exit codes of a process that ends in order after SIGTERM, or by the signal's default action.
  private static final Set<Integer> GOOD_ENDS = Set.of(0, 128 + 15);

  private static final String JAVA_OPTIONS = "MEMORY_JAVA_OPTS";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path log;
  private final Endpoint endpoint;
  private final MemoryClient client;
  private volatile boolean over;

  private BenchDaemon(Process process, Path data, Path log) {
    this.process = process;
    this.log = log;
    await("the start of the daemon", START, START_POLL_MILLIS, () -> announced(data));
    this.endpoint = Endpoint.find(data);
    this.client = MemoryClient.connect(endpoint);
  }

  /// @param work the working directory of the process, where it writes its log
  /// @param javaOptions options of its JVM, after those of the launcher
  /// @param settings such as `workspaces.max_open=64`
  public static BenchDaemon start(
      Path launcher, Path work, String name, List<String> javaOptions, String... settings) {
    Map<String, String> environment =
        javaOptions.isEmpty() ? Map.of() : Map.of(JAVA_OPTIONS, String.join(" ", javaOptions));
    return start(MemoryClient::serving, launcher, work, name, environment, settings);
  }

  /// Like the method above, for a daemon that may report that it does not serve.
  ///
  /// @param environment variables of the process, each after the value of this process, if any
  public static BenchDaemon startDamaged(
      Path launcher, Path work, String name, Map<String, String> environment, String... settings) {
    return start(BenchDaemon::answers, launcher, work, name, environment, settings);
  }

  private static BenchDaemon start(
      Predicate<MemoryClient> up,
      Path launcher,
      Path work,
      String name,
      Map<String, String> environment,
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
      environment.forEach(
          (variable, value) -> builder.environment().merge(variable, value, (a, b) -> a + " " + b));
      process = Children.start(builder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + launcher, e);
    }
    try {
      var daemon = new BenchDaemon(process, data, log);
      daemon.await(
          "the daemon's health check", START, START_POLL_MILLIS, () -> up.test(daemon.client));
      return daemon;
    } catch (RuntimeException e) {
      process.destroyForcibly();
      awaitEnd(process);
      throw e;
    }
  }

  /// Whether it answers, also with a refusal.
  private static boolean answers(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return e.code() != ErrorCode.UNREACHABLE;
    }
  }

  public long pid() {
    return process.pid();
  }

  public MemoryClient client() {
    return client;
  }

  /// A new client with its own connection. The caller closes it.
  public MemoryClient another() {
    return MemoryClient.connect(endpoint);
  }

  /// A new client of a workspace. The caller closes it.
  public MemoryClient client(String workspace) {
    return MemoryClient.connect(endpoint.withWorkspace(Optional.of(new WorkspaceName(workspace))));
  }

  /// Anonymous memory of the process in MiB: heap, threads, native memory.
  ///
  /// @throws IllegalStateException where the system does not report it
  public double anonymousMiB() {
    return AnonymousMemory.mib(process.pid());
  }

  /// Waits until every event is in the table of contents and all rollups are done.
  public void awaitToc() {
    awaitToc(client);
  }

  /// Like [#awaitToc], for the workspace of a client.
  public void awaitToc(MemoryClient of) {
    await("the table of contents", DRAIN, () -> report(of).tocComplete());
  }

  /// Waits until the table of contents has processed the whole outbox. Rollups may still be due.
  public void awaitDrained() {
    await(
        "the consumers of the outbox",
        DRAIN,
        () -> {
          DaemonReport report = report(client);
          return report.consumers().values().stream()
              .allMatch(cursor -> cursor >= report.store().outboxHead());
        });
  }

  /// Trims the outbox until it is empty. The index commits at intervals of some seconds, and
  /// entries are kept until then.
  public void awaitTrimmed() {
    await(
        "the trim of the outbox",
        DRAIN,
        () -> {
          var _ = client.jobs().run("outbox_trim");
          StoreStats store = report(client).store();
          return store.outboxTail() > store.outboxHead();
        });
  }

  /// Waits until a search in the client's workspace finds this number of events, and the index has
  /// no work left except embeddings.
  public void awaitIndexed(MemoryClient of, long events) {
    await(
        "the index of " + events + " events",
        DRAIN,
        () -> {
          SearchReport index = of.search().status();
          return index.complete() && index.behind() == 0 && index.events() >= events;
        });
  }

  /// Waits until the index has processed the whole outbox, so that it takes no more processor time.
  public void awaitIndexed() {
    awaitIndexed(client, 0);
  }

  /// Waits until every indexed event of the client's workspace has its embedding. Starts the
  /// embedding job at once.
  ///
  /// @throws MemoryException `MODEL_UNAVAILABLE` when the model cannot be called
  public void awaitEmbedded(MemoryClient of) {
    await(
        "the embeddings",
        DRAIN,
        () -> {
          if (of.search().status().toEmbed() == 0) {
            return true;
          }
          var _ = of.jobs().run(Workers.EMBEDDING);
          return false;
        });
  }

  /// Waits until memories were extracted from all closed segments.
  public void awaitExtracted() {
    await(
        "the extraction of memories",
        DRAIN,
        () -> "0".equals(client().jobs().run(EXTRACTION).getOrDefault("segments", "0")));
  }

  /// Waits for another condition, up to some minutes.
  public void awaitUntil(String what, BooleanSupplier condition) {
    await(what, DRAIN, condition);
  }

  /// Waits for another condition.
  ///
  /// @throws IllegalStateException when it does not hold in time, or the daemon ends
  public void awaitUntil(String what, Duration atMost, BooleanSupplier condition) {
    await(what, atMost, condition);
  }

  private static DaemonReport report(MemoryClient of) {
    DaemonReport report = of.admin().status();
    if (!report.problems().isEmpty()) {
      throw new IllegalStateException("the daemon reports problems: " + report.problems());
    }
    return report;
  }

  /// Kills the process, as the kernel does when memory is short.
  public void kill() {
    over = true;
    process.destroyForcibly();
    awaitEnd(process);
    client.close();
  }

  /// Stops the process as an operator does. A second call does nothing.
  ///
  /// @throws IllegalStateException when it does not end in order
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

  /// Like [#close], for a daemon that may have crashed or may hang.
  public void closeOrKill() {
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

  /// Whether the file is of this process. A killed daemon leaves a file that names another one.
  private boolean announced(Path data) {
    Path file = data.resolve("daemon.json");
    try {
      return Files.exists(file)
          && JSON.readTree(Files.readString(file)).path("pid").asLong() == process.pid();
    } catch (IOException e) {
      // A damaged file of an earlier daemon; the new one replaces it.
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
        throw new IllegalStateException("timed out while waiting for " + what + tail());
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
      return "; its output:\n" + text.substring(Math.max(0, text.length() - 2000));
    } catch (IOException e) {
      return "; its output cannot be read: " + e.getMessage();
    }
  }
}
