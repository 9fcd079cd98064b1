package dev.agentmemory.testkit.bytes;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/// Joins the records of a write-ahead log or a manifest of RocksDB, whose parts may be in several
/// blocks. `LogFile` of memory-storage describes the form. What is behind a damaged record of a
/// block is found as bytes of the file only.
final class LogFragments {

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int TYPE = 6;
  private static final int NUMBERED_HEADER = 11;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;
  private static final int LAST_NUMBERED = 8;
  private static final int COMPRESSED = 9;

  private final Decoded decoded;
  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

  private LogFragments(Decoded decoded) {
    this.decoded = decoded;
  }

  /// Whether a file begins with a record, whatever its name is.
  static boolean isLog(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] block = in.readNBytes(BLOCK);
      return block.length >= HEADER && type(block, 0) != 0 && isWhole(block, 0);
    }
  }

  static void read(Path path, Decoded decoded) throws IOException {
    var fragments = new LogFragments(decoded);
    try (var in = new BufferedInputStream(Files.newInputStream(path), BLOCK)) {
      long start = 0;
      for (byte[] block = in.readNBytes(BLOCK); block.length > 0; block = in.readNBytes(BLOCK)) {
        fragments.block(start, block);
        start += block.length;
      }
    }
  }

  private void block(long start, byte[] block) {
    int at = 0;
    while (at + HEADER <= block.length && isWhole(block, at)) {
      int type = type(block, at);
      int end = end(block, at);
      if (type == 0 && end == at + HEADER) {
        return;
      }
      if (type == COMPRESSED) {
        decoded.unread("the log is compressed, which is not known to the scanner");
        return;
      }
      part(start + at, type, block, at + header(type), end);
      at = end;
    }
  }

  private void part(long offset, int type, byte[] block, int from, int to) {
    int part = type > LAST && type <= LAST_NUMBERED ? type - LAST : type;
    if (part == WHOLE || part == FIRST) {
      parts.reset();
    }
    if (part < WHOLE || part > LAST) {
      return;
    }
    parts.write(block, from, to - from);
    if (part != FIRST && part != MIDDLE) {
      decoded.bytes("log record", "ends at %d".formatted(offset), parts.toByteArray());
      parts.reset();
    }
  }

  private static boolean isWhole(byte[] block, int at) {
    int end = end(block, at);
    if (end > block.length) {
      return false;
    }
    var checksum = new CRC32C();
    checksum.update(block, at + TYPE, end - at - TYPE);
    int masked = Integer.rotateRight((int) checksum.getValue(), 15) + 0xA282EAD8;
    return ByteBuffer.wrap(block, at, 4).order(ByteOrder.LITTLE_ENDIAN).getInt() == masked;
  }

  private static int type(byte[] block, int at) {
    return block[at + TYPE] & 0xFF;
  }

  private static int header(int type) {
    boolean numbered = (type > LAST && type <= LAST_NUMBERED) || type == 11 || type == 131;
    return numbered ? NUMBERED_HEADER : HEADER;
  }

  private static int end(byte[] block, int at) {
    int length = (block[at + 4] & 0xFF) | (block[at + 5] & 0xFF) << 8;
    return at + header(type(block, at)) + length;
  }
}
