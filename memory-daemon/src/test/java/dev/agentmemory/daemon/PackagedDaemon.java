package dev.agentmemory.daemon;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The packaged daemon as a process on a free port, as a user starts it.
public final class PackagedDaemon implements AutoCloseable {

  private static final Path HOME =
      Path.of(System.getProperty("agentmemory.dist", "target/agent-memory"));
  private static final long DEADLINE_SECONDS = 60;

  final Path data;
  private final Process process;
  private final Path output;
  final MemoryClient client;
  private boolean killed;

  private PackagedDaemon(Path data, Process process, Path output, MemoryClient client) {
    this.data = data;
    this.process = process;
    this.output = output;
    this.client = client;
  }

  /// Starts a daemon and waits until it serves.
  ///
  /// @param settings `key=value`
  public static PackagedDaemon start(Path data, String... settings)
      throws IOException, InterruptedException {
    return start(data, Map.of(), settings);
  }

  /// The same with other variables in its environment.
  public static PackagedDaemon start(Path data, Map<String, String> environment, String... settings)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("start", "--foreground", "--data", data.toString(), "--port", "0"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    Path output = Files.createDirectories(data.resolve("logs")).resolve("daemon.test.out");
    ProcessBuilder builder = builder(HOME, command, output);
    builder.environment().putAll(environment);
    return attach(data, builder.start(), output);
  }

  /// The same for one of which the default workspace cannot be used: waits until it answers.
  static PackagedDaemon startUnwell(Path data, String... settings)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("start", "--foreground", "--data", data.toString(), "--port", "0"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    Path output = Files.createDirectories(data.resolve("logs")).resolve("daemon.test.out");
    Process process = launch(command, output);
    await("the announcement", () -> Files.exists(data.resolve("daemon.json")), process, output);
    MemoryClient client = MemoryClient.connect(Endpoint.find(data));
    await("an answer", () -> answers(client), process, output);
    return new PackagedDaemon(data, process, output, client);
  }

  private static boolean answers(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  /// The same on a small disk that only the daemon sees; its data directory is seen through it.
  static PackagedDaemon startOn(SmallFileSystem disk, Path data, String... settings)
      throws IOException, InterruptedException {
    return startBeside(disk, data, data, settings);
  }

  /// The same with the small disk on any directory. Both are seen through the daemon.
  ///
  /// @param mounted where the daemon has the disk
  static PackagedDaemon startBeside(
      SmallFileSystem disk, Path mounted, Path data, String... settings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/memory").toString()));
    command.addAll(List.of("start", "--foreground", "--data", data.toString(), "--port", "0"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    Path output = Files.createTempFile("daemon", ".txt");
    Process process =
        new ProcessBuilder(disk.running(mounted, command))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return attach(SmallFileSystem.seenBy(process.pid(), data), process, output);
  }

  private static PackagedDaemon attach(Path data, Process process, Path output)
      throws IOException, InterruptedException {
    await("the announcement", () -> Files.exists(data.resolve("daemon.json")), process, output);
    MemoryClient client = MemoryClient.connect(Endpoint.find(data));
    await("serving", client::serving, process, output);
    return new PackagedDaemon(data, process, output, client);
  }

  /// The same with a limit of the files that it may open.
  static PackagedDaemon startWithFiles(int files, Path data)
      throws IOException, InterruptedException {
    Path output = Files.createDirectories(data.resolve("logs")).resolve("daemon.test.out");
    List<String> command =
        List.of("start", "--foreground", "--data", data.toString(), "--port", "0");
    return attach(data, limited(files, builder(HOME, command, output)).start(), output);
  }

  static Run runWithFiles(int files, Path data, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(data);
    Path output = Files.createTempFile("command", ".txt");
    ProcessBuilder builder = limited(files, builder(HOME, List.of(arguments), output));
    builder.environment().put("MEMORY_DATA", data.toString());
    return ended(builder.start(), output);
  }

  private static ProcessBuilder limited(int files, ProcessBuilder builder) {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -n " + files + "; exec \"$0\" \"$@\""));
    command.addAll(builder.command());
    return builder.command(command);
  }

  /// Runs a command of the packaged program to its end.
  public static Run run(Path data, String... arguments) throws IOException, InterruptedException {
    return run(data, Map.of(), arguments);
  }

  public static Run run(Path data, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(HOME, data, environment, arguments);
  }

  /// Runs a command of a packaged program in another folder.
  public static Run run(
      Path program, Path data, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(data);
    Path output = Files.createTempFile("command", ".txt");
    ProcessBuilder builder = builder(program, List.of(arguments), output);
    builder.environment().put("MEMORY_DATA", data.toString());
    builder.environment().putAll(environment);
    return ended(builder.start(), output);
  }

  /// Runs a command of the packaged program and kills it after a time, as a power cut would end it.
  ///
  /// @return whether it had ended before
  static boolean killAfter(Path data, Duration time, String... arguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("command", ".txt");
    ProcessBuilder builder = builder(HOME, List.of(arguments), output);
    builder.environment().put("MEMORY_DATA", data.toString());
    Process process = builder.start();
    boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    process.destroyForcibly().waitFor();
    Files.delete(output);
    Files.deleteIfExists(data.resolve("daemon.json"));
    return ended;
  }

  private static Run ended(Process process, Path output) throws IOException, InterruptedException {
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running after a minute: " + Files.readString(output));
    }
    String text = Files.readString(output);
    Files.delete(output);
    return new Run(process.exitValue(), text);
  }

  /// How a command ended.
  public record Run(int exit, String output) {}

  public MemoryClient client() {
    return client;
  }

  long pid() {
    return process.pid();
  }

  /// Waits until every event is in the table of contents and all is rolled up.
  void awaitComplete() throws IOException, InterruptedException {
    await(
        "a complete table of contents",
        () -> client.admin().status().tocComplete(),
        process,
        output);
  }

  void await(String what, BooleanSupplier condition) throws IOException, InterruptedException {
    await(what, condition, process, output);
  }

  /// As a power cut would end it.
  public void kill() throws InterruptedException {
    killed = true;
    client.close();
    process.destroyForcibly().waitFor();
    data.resolve("daemon.json").toFile().delete();
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    try {
      process.onExit().orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      process.destroyForcibly();
      throw new AssertionError("the daemon did not stop within a minute", e);
    }
    if (!killed && process.exitValue() != 0) {
      throw new AssertionError("the daemon did not end in good order: " + process.exitValue());
    }
  }

  private static Process launch(List<String> arguments, Path output) throws IOException {
    return builder(HOME, arguments, output).start();
  }

  private static ProcessBuilder builder(Path program, List<String> arguments, Path output) {
    List<String> command = new ArrayList<>();
    command.add(program.resolve("bin/memory").toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    // Whoever runs the tests may have settings of their own.
    builder.environment().put("XDG_CONFIG_HOME", HOME.resolve("none").toAbsolutePath().toString());
    return builder;
  }

  private static void await(String what, BooleanSupplier condition, Process process, Path output)
      throws IOException, InterruptedException {
    var never = new CountDownLatch(1);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly();
        throw new AssertionError("no " + what + "; the daemon says: " + Files.readString(output));
      }
      if (never.await(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("nobody counts down");
      }
    }
  }
}
