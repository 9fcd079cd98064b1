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
/// gives it up after it has closed everything. The system takes it from a process that has ended in
/// whatever way, also from one that nobody has waited for yet (a zombie), so it cannot be stale.
///
/// @param pid the process that says it holds the lock; -1 when it has not said so yet
public record DaemonLock(long pid) {

  private static final String PID = "pid=";

  /// Where it lies in a data directory.
  public static Path in(Path dataDir) {
    return dataDir.resolve("daemon.lock");
  }

  /// Who holds the lock of a data directory. To find out, the lock is taken for a moment, shared
  /// with others that ask. Not for the process that holds it: on POSIX systems it would lose it.
  ///
  /// @return empty when nobody does
  /// @throws IOException when the file is there and cannot be read or locked
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
