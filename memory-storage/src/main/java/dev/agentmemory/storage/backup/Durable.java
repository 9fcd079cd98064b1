package dev.agentmemory.storage.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.function.LongConsumer;

/// Writes files and folders that are durable when the call returns and readable by their owner
/// only.
final class Durable {

  /// Bytes between two syncs. A large file synced at once would delay all other syncs of the disk.
  private static final long SYNC_BYTES = 8L << 20;

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private Durable() {}

  private static FileAttribute<?>[] only(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /// Creates a folder and its parents where they do not exist.
  static void folder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(folder, only("rwx------"));
    if (parent != null) {
      sync(parent);
    }
  }

  /// Makes the entries of a folder durable.
  static void sync(Path folder) throws IOException {
    if (POSIX) {
      try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
        entries.force(true);
      }
    }
  }

  /// Creates a file with this content, atomically.
  static void file(Path file, byte[] content) throws IOException {
    deleteDraft(file);
    Path draft = draft(file);
    Files.createFile(draft, only("rw-------"));
    try (FileChannel to = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      to.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }

  /// Deletes the rest of a file that could not be written.
  static void deleteDraft(Path file) throws IOException {
    Files.deleteIfExists(draft(file));
  }

  private static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  /// Copies a file and syncs the copy. Symbolic links are not followed, neither for the source nor
  /// for the target, which must not exist.
  ///
  /// @param copied is called with the number of bytes of each chunk
  /// @return SHA-256 of the bytes that were read
  static String copy(Path source, Path target, LongConsumer copied) throws IOException {
    MessageDigest digest = Hashing.digest();
    ByteBuffer chunk = ByteBuffer.allocateDirect(Hashing.CHUNK);
    Files.createFile(target, only("rw-------"));
    try (FileChannel from =
            FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        FileChannel to = FileChannel.open(target, StandardOpenOption.WRITE)) {
      long unsynced = 0;
      while (from.read(chunk) >= 0) {
        chunk.flip();
        long bytes = chunk.remaining();
        digest.update(chunk.duplicate());
        while (chunk.hasRemaining()) {
          to.write(chunk);
        }
        chunk.clear();
        unsynced += bytes;
        if (unsynced >= SYNC_BYTES) {
          to.force(false);
          unsynced = 0;
        }
        copied.accept(bytes);
      }
      to.force(true);
    }
    return Hashing.hex(digest);
  }
}
