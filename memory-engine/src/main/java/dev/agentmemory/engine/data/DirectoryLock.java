package dev.agentmemory.engine.data;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// The lock of a data directory, held by this process until it is closed: by a daemon, and by a
/// command that moves stores, so that no daemon opens one meanwhile. Each store has a lock of its
/// own, but stores are open only now and then.
public final class DirectoryLock implements AutoCloseable {

  private static final int TRIES = 40;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /// @throws MemoryException `CONFLICT` when another process holds it, `STORAGE_FAILED` when the
  ///   disk or the rights refuse
  public static DirectoryLock take(Path directory) {
    Path file = directory.resolve(OwnDirectory.LOCK);
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try {
        if (isTaken(channel)) {
          throw new MemoryException(
              ErrorCode.CONFLICT,
              "%s is in use by another daemon (%s); stop it or choose another directory with --data"
                  .formatted(directory, Files.readString(file).strip()));
        }
        String holder = "pid=" + ProcessHandle.current().pid() + "\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)));
        return new DirectoryLock(channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw OwnDirectory.unusable(directory, e);
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      // Commands take it for a moment, to see whether it is taken.
      for (int i = 0; i < TRIES; i++) {
        if (channel.tryLock() != null) {
          return false;
        }
        Thread.sleep(PAUSE);
      }
      return true;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot release the directory's lock", e);
    }
  }
}
