package dev.agentmemory.rocksdb.internal.home;

import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ensures that only one process has the store open. The file names that process. The file remains
/// when the process ends, the lock does not. Inside one process the engine's own lock is the second
/// guard.
///
/// A file that this attempt created is deleted on release, unless the process was announced in it,
/// so a store that is refused gets no new file. A process that opened the file before it was
/// deleted has a lock on a deleted file. It detects that the name refers to another file, and
/// starts again.
public final class StoreLock implements AutoCloseable {

  public static final String FILE = "LOCK";

  private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);

  private final Path file;
  private final FileChannel channel;

  /// Whether this attempt created the file and has not written to it.
  private boolean draft;

  private StoreLock(Path file, FileChannel channel, boolean draft) {
    this.file = file;
    this.channel = channel;
    this.draft = draft;
  }

  /// Takes the lock and leaves the file's content unchanged, because a store that is refused must
  /// not change.
  ///
  /// @throws MemoryException `CONFLICT` when another process has it
  public static StoreLock take(Path directory) {
    return take(directory, () -> {});
  }

  /// @param opened runs when the file is open and not locked yet, for tests
  public static StoreLock take(Path directory, Runnable opened) {
    Path file = directory.resolve(FILE);
    try {
      return take(directory, file, opened);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static StoreLock take(Path directory, Path file, Runnable opened) throws IOException {
    while (true) {
      boolean made = make(file);
      Optional<Object> there = identity(file);
      try {
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        opened.run();
        StoreLock lock = locked(directory, file, channel, Kind.EXCLUSIVE, made);
        if (identity(file).equals(there)) {
          return lock;
        }
        // Another attempt has deleted the file that was locked here.
        channel.close();
      } catch (NoSuchFileException e) {
        LOG.debug("another attempt has removed {}", file);
      }
    }
  }

  private static boolean make(Path file) throws IOException {
    try {
      Files.createFile(file);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /// The identity of a file, which distinguishes it from a later file of the same name; empty where
  /// the system has none.
  private static Optional<Object> identity(Path file) throws IOException {
    try {
      return Optional.ofNullable(
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /// Excludes processes that write to the store. Writes nothing, so it also works on a disk that is
  /// mounted read-only.
  ///
  /// @return null when no process can have the store: the file is absent and cannot be created
  /// @throws MemoryException `CONFLICT` when a process has the store open
  public static @Nullable StoreLock takeForReading(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      return locked(directory, file, channel, Kind.SHARED, /* made= */ false);
    } catch (NoSuchFileException e) {
      return Files.isWritable(directory) ? take(directory) : null;
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot read " + file + "; check its permissions", e);
    }
  }

  private enum Kind {
    EXCLUSIVE,
    SHARED
  }

  private static StoreLock locked(
      Path directory, Path file, FileChannel channel, Kind kind, boolean made) throws IOException {
    if (tryLock(channel, kind) == null) {
      channel.close();
      throw taken(directory, file);
    }
    LOG.debug("{} is locked by this process", directory);
    return new StoreLock(file, channel, made);
  }

  /// Writes into the file which process has the store.
  public void announce() {
    String holder =
        "pid=%d format=%d\n".formatted(ProcessHandle.current().pid(), StoreHeader.CURRENT_VERSION);
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
      draft = false;
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static MemoryException unwritable(Path file, IOException e) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED, "cannot write " + file + "; check its permissions", e);
  }

  private static @Nullable FileLock tryLock(FileChannel channel, Kind kind) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, kind == Kind.SHARED);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static MemoryException taken(Path directory, Path file) throws IOException {
    String holder = Files.readString(file).strip();
    return new MemoryException(
        ErrorCode.CONFLICT,
        "%s is in use by another process (%s); stop it or choose another directory"
            .formatted(directory, holder));
  }

  @Override
  public void close() {
    try (channel) {
      if (draft) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot release the store's lock", e);
    }
  }
}
