package dev.agentmemory.bench.damage;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The records of the engine's log. The file is divided into blocks. A record is in one block, or
/// in parts in several blocks. Each part has a header: checksum (4 bytes), length (2), type (1),
/// and for reused files a log number (4).
final class LogRecords {

  static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int RECYCLED_HEADER = 11;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int RECYCLED = 4;

  private LogRecords() {}

  /// One record.
  ///
  /// @param start offset of its first header
  /// @param end offset after its last byte
  /// @param content one character for each byte
  record Entry(long start, long end, String content) {

    /// Whether a part of it is in the same block as a byte.
    boolean touchesBlock(long at) {
      return start / BLOCK <= at / BLOCK && at / BLOCK <= (end - 1) / BLOCK;
    }
  }

  /// All records of an intact file in order, up to the first invalid one.
  static List<Entry> of(byte[] log) {
    var entries = new ArrayList<Entry>();
    var content = new ByteArrayOutputStream();
    ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    int start = 0;
    while (at + HEADER <= log.length) {
      if (BLOCK - at % BLOCK < HEADER) {
        at += BLOCK - at % BLOCK;
        continue;
      }
      int length = Short.toUnsignedInt(bytes.getShort(at + 4));
      int type = log[at + 6];
      int header = type > RECYCLED ? RECYCLED_HEADER : HEADER;
      int part = type > RECYCLED ? type - RECYCLED : type;
      if (part < WHOLE || part > LAST || at + header + length > log.length) {
        break;
      }
      if (part == WHOLE || part == FIRST) {
        content.reset();
        start = at;
      }
      content.write(log, at + header, length);
      at += header + length;
      if (part == WHOLE || part == LAST) {
        entries.add(new Entry(start, at, content.toString(StandardCharsets.ISO_8859_1)));
      }
    }
    return entries;
  }
}
