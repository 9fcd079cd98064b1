package dev.agentmemory.storage.backup;

import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.function.LongConsumer;

/// Writes files and folders that are durable when the call returns and readable by their owner
/// only.
final class Durable {

  /// Bytes between two syncs. A large file synced at once would delay all other syncs of the disk.
  private static final long SYNC_BYTES = 8L << 20;

  private Durable() {}

  /// Creates a folder and its parents where they do not exist. It may be a link to a folder.
  static void folder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      DurableFile.createDirectory(folder);
    }
  }

  /// Copies a file and syncs the copy. Symbolic links are not followed, neither for the source nor
  /// for the target, which must not exist.
  ///
  /// @param copied is called with the number of bytes of each chunk
  /// @return SHA-256 of the bytes that were read
  static String copy(Path source, Path target, LongConsumer copied) throws IOException {
    MessageDigest digest = Hashing.digest();
    ByteBuffer chunk = ByteBuffer.allocateDirect(Hashing.CHUNK);
    Files.createFile(target, DurableFile.ownerOnly(target));
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
