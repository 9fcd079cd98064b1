package dev.agentmemory.cli.process;

import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A daemon that this process started with the packaged launcher.
public final class DaemonProcess {

  /// How long a daemon may take to start.
  public static final Duration START = Duration.ofSeconds(60);

  /// Exit codes of an orderly end: by itself, by Ctrl-C, by SIGTERM.
  private static final Set<Integer> IN_GOOD_ORDER = Set.of(0, 130, 143);

  private final Process process;
  private final Path data;
  private final LogTail lastWords;

  private DaemonProcess(Process process, Path data, LogTail lastWords) {
    this.process = process;
    this.data = data;
    this.lastWords = lastWords;
  }

  /// Starts a daemon that logs to `logs/daemon.log` in the data directory. Its other output goes to
  /// `logs/daemon.out`; the output of the previous daemon is kept beside it.
  ///
  /// @param detached whether it gets a session of its own, so that closing this terminal or
  ///   pressing Ctrl-C does not affect it
  /// @param flags arguments after `start --foreground --data DIR`
  /// @param environment the environment of the daemon
  public static DaemonProcess spawn(
      Path data, boolean detached, List<String> flags, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    if (detached) {
      setsid(environment).ifPresent(file -> command.add(file.toString()));
    }
    command.add(LauncherPlace.launcher().toString());
    command.addAll(List.of("start", "--foreground", "--data", data.toString()));
    command.addAll(flags);
    command.addAll(List.of("--set", "log_to=file"));
    try {
      Files.createDirectories(LogPlace.folder(data), permitted(data, "rwx------"));
      Path output = LogPlace.output(data);
      if (Files.exists(output)) {
        Files.move(
            output, output.resolveSibling("daemon.out.1"), StandardCopyOption.REPLACE_EXISTING);
      }
      // Another `memory start` may be doing the same.
      Set<OpenOption> orUsed = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      Files.newByteChannel(output, orUsed, permitted(data, "rw-------")).close();
      LogTail lastWords = LogTail.since(data);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(output.toFile());
      builder.environment().keySet().retainAll(environment.keySet());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      return new DaemonProcess(builder.start(), data, lastWords);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot start a daemon in " + data + ": cannot write " + e.getMessage(),
          e);
    }
  }

  /// Permissions that do not depend on the umask of this process; none where the system has none.
  private static FileAttribute<?>[] permitted(Path data, String permissions) {
    return data.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /// Not every system has `setsid`. Without it the daemon stays in the terminal's session.
  private static Optional<Path> setsid(Map<String, String> environment) {
    return List.of(environment.getOrDefault("PATH", "").split(":", -1)).stream()
        .filter(dir -> !dir.isEmpty())
        .map(dir -> Path.of(dir, "setsid"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /// Waits until the daemon answers, whether or not all of its stores could be opened.
  ///
  /// @throws MemoryException with its last output when it ends before, or when it takes too long
  public Endpoint awaitServing() throws InterruptedException {
    boolean up = Polling.until(START, () -> !process.isAlive() || answers());
    if (up && process.isAlive()) {
      return Endpoint.find(data);
    }
    String what =
        process.isAlive()
            ? "the daemon does not answer after " + Format.time(START)
            : "the daemon did not start (exit code " + process.exitValue() + ")";
    throw new MemoryException(
        ErrorCode.CLOSED, what + "; the end of " + LogPlace.folder(data) + ":\n" + lastWords());
  }

  private boolean answers() {
    // The file may still be that of an earlier daemon.
    boolean announced =
        RunningDaemon.find(data).filter(found -> found.pid() == process.pid()).isPresent();
    if (!announced) {
      return false;
    }
    try (var client = MemoryClient.connect(Endpoint.find(data))) {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  /// Its last output.
  public String lastWords() {
    return lastWords.text();
  }

  /// Asks the daemon to stop, and kills it if it does not.
  ///
  /// @return whether it stopped in order
  public boolean stop(Duration atMost) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(atMost)) {
      process.destroyForcibly().waitFor();
    }
    return IN_GOOD_ORDER.contains(process.exitValue());
  }
}
