package dev.agentmemory.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// The lock of a data directory, held by a process. A daemon takes it before it opens anything and
/// releases it after it has closed everything. The system releases the lock of a process that has
/// ended in any way, even of one that is still listed (a zombie). So it cannot be stale.
///
/// @param pid the process that holds the lock; -1 when it has not written its id yet
public record DaemonLock(long pid) {

  private static final String PID = "pid=";

  /// Its path in a data directory.
  public static Path in(Path dataDir) {
    return dataDir.resolve("daemon.lock");
  }

  /// The holder of a data directory's lock. To find out, the lock is taken for a moment, shared
  /// with others that test it. The process that holds the lock must not call this: on POSIX systems
  /// it would lose the lock.
  ///
  /// @return empty when no process holds it
  /// @throws IOException when the file exists and cannot be read or locked
  public static Optional<DaemonLock> holder(Path dataDir) throws IOException {
    Path file = in(dataDir);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return isFree(channel) ? Optional.empty() : Optional.of(new DaemonLock(pid(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, /* shared= */ true)) {
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static long pid(Path file) throws IOException {
    String text = Files.readString(file).strip();
    try {
      return text.startsWith(PID) ? Long.parseLong(text.substring(PID.length())) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
