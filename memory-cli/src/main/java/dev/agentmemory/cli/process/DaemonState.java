package dev.agentmemory.cli.process;

import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.DaemonLock;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// The daemon of a data directory, according to the lock in it. The daemon itself is not called, so
/// one that holds the lock may still not answer.
public sealed interface DaemonState
    permits DaemonState.Absent, DaemonState.Unannounced, RunningDaemon {

  /// @throws MemoryException `CONFLICT` when the lock or `daemon.json` cannot be read
  static DaemonState of(Path data) {
    try {
      var lock = DaemonLock.holder(data);
      if (lock.isPresent()) {
        return RunningDaemon.announced(data, lock.get())
            .<DaemonState>map(daemon -> daemon)
            .orElseGet(
                () -> new Unannounced(data, lock.get().pid(), modified(DaemonLock.in(data))));
      }
      // Without the file, the lock of a daemon cannot be tested.
      boolean removed = !Files.exists(DaemonLock.in(data)) && Files.exists(DaemonFile.in(data));
      return (removed ? RunningDaemon.byItsProcess(data) : Optional.<DaemonState>empty())
          .orElseGet(() -> new Absent(data));
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot tell whether a daemon holds the lock of "
              + data
              + ": cannot read "
              + e.getMessage(),
          e);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      return Instant.EPOCH;
    }
  }

  /// The process that holds the lock; empty when none does, or when its id is not recorded.
  OptionalLong holder();

  /// That process, if it is visible from here and is a daemon's.
  default Optional<ProcessHandle> process(Path data) {
    Path lock = DaemonLock.in(data);
    Path written = Files.exists(lock) ? lock : DaemonFile.in(data);
    return holder().stream()
        .boxed()
        .flatMap(pid -> RunningDaemon.process(pid, modified(written)).stream())
        .findFirst();
  }

  /// One sentence that includes the remedy.
  String sentence();

  default MemoryException unreachable() {
    return new MemoryException(ErrorCode.UNREACHABLE, sentence());
  }

  /// No daemon holds the lock.
  record Absent(Path data) implements DaemonState {

    @Override
    public OptionalLong holder() {
      return OptionalLong.empty();
    }

    @Override
    public String sentence() {
      return "no daemon runs on " + data + "; start one with `memory start --data " + data + "`";
    }
  }

  /// A daemon holds the lock, and `daemon.json` does not contain its address.
  ///
  /// @param pid -1 when unknown
  /// @param since when it took the lock
  record Unannounced(Path data, long pid, Instant since) implements DaemonState {

    /// Whether its process is suspended, so that it cannot continue by itself.
    public boolean suspended() {
      return ProcessState.of(pid) == ProcessState.SUSPENDED;
    }

    @Override
    public OptionalLong holder() {
      return pid < 0 ? OptionalLong.empty() : OptionalLong.of(pid);
    }

    @Override
    public String sentence() {
      return (pid < 0 ? "a daemon" : "the daemon with pid " + pid)
          + " holds the lock of "
          + data
          + " and accepts no calls: it is "
          + (suspended()
              ? "suspended"
              : "starting or stopping, a command is replacing its stores,"
                  + " or its daemon.json was changed")
          + "; try again, or kill it with `memory stop --force`";
    }
  }
}
