package dev.agentmemory.rocksdb.backup;

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
    try (FileChannel from =
            FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        var to = new Output(target)) {
      while (from.read(chunk) >= 0) {
        chunk.flip();
        long bytes = chunk.remaining();
        digest.update(chunk.duplicate());
        to.write(chunk);
        chunk.clear();
        copied.accept(bytes);
      }
      to.finish();
    }
    return Hashing.hex(digest);
  }

  /// A new file that is synced while it is written.
  static final class Output implements AutoCloseable {

    private final FileChannel channel;
    private long unsynced;

    /// @param target must not exist
    Output(Path target) throws IOException {
      Files.createFile(target, DurableFile.ownerOnly(target));
      channel = FileChannel.open(target, StandardOpenOption.WRITE);
    }

    /// @param chunk of at most 1 MiB and a few bytes; is empty afterwards
    void write(ByteBuffer chunk) throws IOException {
      unsynced += chunk.remaining();
      while (chunk.hasRemaining()) {
        channel.write(chunk);
      }
      if (unsynced >= SYNC_BYTES) {
        channel.force(false);
        unsynced = 0;
      }
    }

    /// Makes all of it durable.
    void finish() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
