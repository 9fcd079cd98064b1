package dev.agentmemory.daemon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/// The daemon that `daemon.json` in a data directory speaks of, if it lives.
///
/// @param process its process
/// @param host where it listens
/// @param version its version
record RunningDaemon(ProcessHandle process, String host, int port, String version) {

  /// A clock may be set a little between the start of a process and the writing of its file.
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private static final String MAIN = "dev.agentmemory.daemon.Main";

  /// @return empty when none runs: there is no file, or it was left behind by one that died
  static Optional<RunningDaemon> find(Path data) {
    Path file = DaemonFile.in(data);
    try {
      DaemonFile told = DaemonFile.read(data);
      Instant written = Files.getLastModifiedTime(file).toInstant();
      return ProcessHandle.of(told.pid())
          .filter(process -> isOurs(process, written))
          .map(process ->
              new RunningDaemon(
                  process,
                  told.host().isEmpty() ? "127.0.0.1" : told.host(),
                  told.port(),
                  told.version()));
    } catch (NoSuchFileException | JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /// For commands that open the stores themselves.
  ///
  /// @throws MemoryException `CONFLICT` when a daemon runs
  static void requireNone(Path data) {
    Optional<RunningDaemon> running = find(data);
    if (running.isPresent()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "a daemon has the stores open (pid %d); run `memory stop` first"
              .formatted(running.get().pid()));
    }
  }

  long pid() {
    return process.pid();
  }

  /// Process ids are used again: the process must be older than the file, and look like a daemon
  /// where the system lets us see its command line.
  private static boolean isOurs(ProcessHandle process, Instant written) {
    ProcessHandle.Info info = process.info();
    boolean older =
        info.startInstant().map(start -> !start.minus(TOLERANCE).isAfter(written)).orElse(true);
    boolean command =
        info.arguments().map(arguments -> Arrays.asList(arguments).contains(MAIN)).orElse(true);
    return process.isAlive() && older && command;
  }
}
