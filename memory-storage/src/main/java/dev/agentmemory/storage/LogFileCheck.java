package dev.agentmemory.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.zip.CRC32C;

/// Reads a file in the engine's log format, which the write-ahead log and the manifest have:
///
/// ```
/// file    blocks of 32 KiB; the last one may be shorter
/// block   records; fewer than 7 bytes at its end are zero
/// record  masked CRC-32C (4), length (2), type (1), for types 5 to 8, 11 and 131 a log number (4),
///         payload; little-endian. The checksum is of everything behind it
/// type    1 whole, 2 first part, 3 middle part, 4 last part; 5 to 8 the same in a reused file;
///         other types stand alone
/// ```
///
/// A crash may leave the last record of the last log unfinished. That is no damage: nobody was told
/// that it is stored.
final class LogFileCheck {

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int LONG_HEADER = 11;
  private static final int CRC_MASK = 0xa282ead8;

  /// Whether a crash may have cut the file short.
  enum Tail {
    /// The file was finished.
    WHOLE,
    /// It is the one that is being written, or was when the program ended.
    MAY_BE_TORN
  }

  private final InputStream file;
  private final Tail tail;
  private final IntConsumer read;
  private final CRC32C sum = new CRC32C();
  private final byte[] block = new byte[BLOCK];
  private int filled;
  private int at;
  private long blockStart;
  private boolean inside;

  private LogFileCheck(InputStream file, Tail tail, IntConsumer read) {
    this.file = file;
    this.tail = tail;
    this.read = read;
  }

  /// @param read is told how many bytes were read, after every block
  /// @return what is wrong first, with its place; empty when nothing is
  static Optional<String> check(Path path, Tail tail, IntConsumer read) throws IOException {
    try (InputStream file = Files.newInputStream(path)) {
      return new LogFileCheck(file, tail, read).run();
    }
  }

  private Optional<String> run() throws IOException {
    while (nextBlock()) {
      while (filled - at >= HEADER) {
        Optional<String> problem = record();
        if (problem.isPresent()) {
          boolean torn = tail == Tail.MAY_BE_TORN && isTorn();
          return torn ? Optional.empty() : problem;
        }
      }
    }
    boolean cut = tail == Tail.WHOLE && (inside || at < filled);
    return cut ? Optional.of("the file ends inside a record") : Optional.empty();
  }

  private boolean nextBlock() throws IOException {
    if (filled == BLOCK) {
      blockStart += BLOCK;
    } else if (filled > 0) {
      return false;
    }
    at = 0;
    filled = file.readNBytes(block, 0, BLOCK);
    if (filled > 0) {
      read.accept(filled);
    }
    return filled > 0;
  }

  private Optional<String> record() {
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    int crc = bytes.getInt(at);
    int length = Short.toUnsignedInt(bytes.getShort(at + 4));
    int type = Byte.toUnsignedInt(block[at + 6]);
    if (crc == 0 && length == 0 && type == 0) {
      return emptyRest();
    }
    int header = hasLogNumber(type) ? LONG_HEADER : HEADER;
    int end = at + header + length;
    if (end > filled) {
      return problem(end > BLOCK ? "a record longer than its block" : "an unfinished record");
    }
    sum.reset();
    sum.update(block, at + HEADER - 1, end - at - HEADER + 1);
    if (masked((int) sum.getValue()) != crc) {
      return problem("a record whose checksum does not match");
    }
    Optional<String> misplaced =
        follows(type) ? Optional.empty() : problem("a record out of place");
    if (misplaced.isEmpty()) {
      at = end;
    }
    return misplaced;
  }

  /// Room that was reserved and not written.
  private Optional<String> emptyRest() {
    if (!isZero(at, filled)) {
      return problem("an empty record");
    }
    at = filled;
    return tail == Tail.MAY_BE_TORN ? Optional.empty() : problem("zeros in place of a record");
  }

  private static boolean hasLogNumber(int type) {
    return (type >= 5 && type <= 8) || type == 11 || type == 131;
  }

  /// Whether a record of this type may stand here; parts must be complete and in order.
  private boolean follows(int type) {
    int part = type >= 5 && type <= 8 ? type - 4 : type;
    boolean continues = part == 3 || part == 4;
    boolean ok = continues ? inside : (part > 4 || !inside);
    if (part <= 4) {
      inside = part == 2 || part == 3;
    }
    return ok;
  }

  private static int masked(int crc) {
    return Integer.rotateRight(crc, 15) + CRC_MASK;
  }

  /// Whether nothing was written behind the record at which it stands: it reaches the end of the
  /// file, or only zeros follow.
  private boolean isTorn() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    int length = Short.toUnsignedInt(bytes.getShort(at + 4));
    int end = Math.min(filled, at + HEADER + length);
    if (filled < BLOCK) {
      return isZero(end, filled);
    }
    boolean zero = isZero(end, filled);
    while (zero && nextBlock()) {
      zero = isZero(0, filled);
    }
    return zero;
  }

  private boolean isZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (block[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private Optional<String> problem(String what) {
    return Optional.of(what + " at byte " + (blockStart + at));
  }
}
