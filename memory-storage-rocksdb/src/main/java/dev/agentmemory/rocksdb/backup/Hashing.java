package dev.agentmemory.rocksdb.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/// SHA-256 of bytes and files, in hexadecimal.
final class Hashing {

  static final int CHUNK = 1 << 20;
  private static final int TAIL = 4 << 10;

  private Hashing() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  /// @param read is called with the number of bytes of each chunk
  static String of(Path file, LongConsumer read) throws IOException {
    MessageDigest digest = digest();
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      while (from.read(chunk) >= 0) {
        chunk.flip();
        long bytes = chunk.remaining();
        digest.update(chunk);
        chunk.clear();
        read.accept(bytes);
      }
    }
    return hex(digest);
  }

  /// Digest of the last 4 KiB. A table file has its properties there: the identity of the database
  /// and of the run that wrote it, its number and its time.
  static String ofTail(Path file) throws IOException {
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = from.size();
      ByteBuffer tail = ByteBuffer.allocate((int) Math.min(TAIL, size));
      from.position(size - tail.capacity());
      while (tail.hasRemaining() && from.read(tail) >= 0) {
        // The loop fills the buffer.
      }
      return of(tail.array());
    }
  }
}
