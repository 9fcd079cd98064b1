package dev.agentmemory.rocksdb.internal.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Reads a log file of the engine (a write-ahead log or a manifest) without the engine, and skips
/// what is damaged.
///
/// ```
/// file    blocks of 32 KiB; the last one may be shorter
/// block   records, then less than 7 zero bytes
/// record  crc32c, masked (4, little-endian)   length (2)   type (1)   [log number (4)]   payload
/// type    1 whole   2 first   3 middle   4 last part; 5 to 8 the same in a reused file; others stand
///         alone and hold no rows. 5 to 8, 11 and 131 have a log number
/// crc     of type, log number and payload; masked: rotated right by 15 bits, plus 0xA282EAD8
/// ```
///
/// A record with a wrong checksum hides where the next one begins. So the rest of its block is
/// skipped, as the engine does.
///
/// @param repairing whether a record with one flipped bit is repaired, in the file too, and read;
///   the repair is reported as a flaw of no bytes
public record LogFile(Path path, boolean repairing) {

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;

  /// Offset of the type. The checksum covers the bytes from here on.
  private static final int TYPE = 6;

  private static final int NUMBERED_HEADER = 11;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;
  private static final int NUMBERED = 4;
  private static final int LAST_KNOWN = 8;

  /// A range that cannot be read.
  ///
  /// @param torn whether it is at the end of the file, where a crash may have left an incomplete
  ///   record
  public record Flaw(long offset, long bytes, String why, boolean torn) {

    private Flaw asWhole() {
      return torn ? new Flaw(offset, bytes, why, false) : this;
    }

    private Flaw asTorn() {
      return new Flaw(offset, bytes, why, true);
    }
  }

  /// Reads the file from its beginning to its end.
  ///
  /// @return what could not be read, in order
  public List<Flaw> read(Consumer<byte[]> records) throws IOException {
    return read(records, bytes -> {});
  }

  /// @param progress is called with the number of bytes after every block
  public List<Flaw> read(Consumer<byte[]> records, IntConsumer progress) throws IOException {
    var reading = new Reading(records, repairing);
    try (var file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      for (long start = 0; start < length; start += BLOCK) {
        byte[] block = new byte[(int) Math.min(BLOCK, length - start)];
        file.readFully(block);
        progress.accept(block.length);
        reading.block(start, block, /* last= */ start + block.length >= length);
        if (reading.isRepaired()) {
          write(start, block);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return reading.finish();
  }

  private void write(long start, byte[] block) throws IOException {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(start);
      file.write(block);
    }
  }

  /// One pass over the file.
  private static final class Reading {

    private final Consumer<byte[]> records;
    private final boolean repairing;
    private final List<Flaw> flaws = new ArrayList<>();
    private final List<byte[]> parts = new ArrayList<>();
    private long partsAt;

    /// Whether parts without a beginning belong to a record with an unreadable part.
    private boolean broken;

    /// Whether a record of the current block was repaired.
    private boolean repaired;

    Reading(Consumer<byte[]> records, boolean repairing) {
      this.records = records;
      this.repairing = repairing;
    }

    boolean isRepaired() {
      return repaired;
    }

    void block(long start, byte[] block, boolean last) {
      repaired = false;
      int at = 0;
      while (at + HEADER <= block.length) {
        if (length(block, at) == 0 && type(block, at) == 0) {
          // Allocated and never written.
          boolean empty = isZero(block, at);
          String what = empty ? "zeros in place of a record" : "an empty record";
          flaw(start + at, block.length - at, what, empty);
          return;
        }
        Optional<String> problem = problem(block, at);
        if (problem.isPresent() && repairing && repairBit(block, at)) {
          flaws.add(new Flaw(start + at, 0, "it had one flipped bit, which was corrected", false));
          problem = Optional.empty();
          repaired = true;
        }
        int end = end(block, at);
        if (problem.isPresent()) {
          boolean torn = (last && end > block.length) || endsInZeros(block);
          flaw(start + at, block.length - at, problem.get(), torn);
          return;
        }
        accept(start + at, type(block, at), slice(block, at + header(block, at), end));
        at = end;
      }
      if (last && at < block.length && block.length < BLOCK) {
        flaw(start + at, block.length - at, "the file ends inside a record", true);
      }
    }

    /// Whether the end of the block was allocated and never written. The zeros that pad a block are
    /// fewer than a header, and no record of ours ends in a zero.
    private static boolean endsInZeros(byte[] block) {
      int fewest = block.length < BLOCK ? 1 : HEADER;
      return block.length >= fewest && isZero(block, block.length - fewest);
    }

    private static boolean isZero(byte[] block, int from) {
      for (int i = from; i < block.length; i++) {
        if (block[i] != 0) {
          return false;
        }
      }
      return true;
    }

    private static Optional<String> problem(byte[] block, int at) {
      int end = end(block, at);
      if (end > block.length) {
        return Optional.of("the record is longer than the rest of its block");
      }
      return stored(block, at) == LogBits.masked(LogBits.checksum(block, at + TYPE, end))
          ? Optional.empty()
          : Optional.of("its checksum does not match");
    }

    /// Flips one bit back, of the content or of the header.
    private static boolean repairBit(byte[] block, int at) {
      int end = end(block, at);
      if (end <= block.length) {
        OptionalInt bit = LogBits.flipped(block, at + TYPE, end, stored(block, at));
        if (bit.isPresent()) {
          flip(block, at + TYPE, bit.getAsInt());
          return problem(block, at).isEmpty();
        }
      }
      // The header contains the length of the record, and the checksum itself.
      for (int bit = 0; bit < HEADER * Byte.SIZE; bit++) {
        flip(block, at, bit);
        if (problem(block, at).isEmpty()) {
          return true;
        }
        flip(block, at, bit);
      }
      return false;
    }

    private static void flip(byte[] block, int from, int bit) {
      block[from + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }

    private static int stored(byte[] block, int at) {
      return ByteBuffer.wrap(block, at, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static int length(byte[] block, int at) {
      return (block[at + 4] & 0xFF) | (block[at + 5] & 0xFF) << 8;
    }

    private static int type(byte[] block, int at) {
      return block[at + TYPE] & 0xFF;
    }

    private static int header(byte[] block, int at) {
      int type = type(block, at);
      boolean numbered = (type > NUMBERED && type <= LAST_KNOWN) || type == 11 || type == 131;
      return numbered ? NUMBERED_HEADER : HEADER;
    }

    private static int end(byte[] block, int at) {
      return at + header(block, at) + length(block, at);
    }

    private void accept(long offset, int type, byte[] payload) {
      int part = type > NUMBERED && type <= LAST_KNOWN ? type - NUMBERED : type;
      broken &= part == MIDDLE || part == LAST;
      // An incomplete record of a crash is at the end of a file; this flaw is not.
      flaws.replaceAll(Flaw::asWhole);
      switch (part) {
        case WHOLE -> {
          dropParts("its end is missing");
          records.accept(payload);
        }
        case FIRST -> {
          dropParts("its end is missing");
          partsAt = offset;
          parts.add(payload);
        }
        case MIDDLE, LAST -> {
          if (parts.isEmpty()) {
            if (!broken) {
              flaws.add(new Flaw(offset, payload.length, "a record out of place", false));
            }
            // The flaw at its beginning was reported already.
            return;
          }
          parts.add(payload);
          if (part == LAST) {
            records.accept(joined());
            parts.clear();
          }
        }
        default -> {
          // A later type of record without rows, such as the compression in use.
        }
      }
    }

    private byte[] joined() {
      int length = parts.stream().mapToInt(part -> part.length).sum();
      ByteBuffer whole = ByteBuffer.allocate(length);
      parts.forEach(whole::put);
      return whole.array();
    }

    private void dropParts(String why) {
      if (!parts.isEmpty()) {
        long bytes = parts.stream().mapToLong(part -> part.length).sum();
        flaws.add(new Flaw(partsAt, bytes, why, false));
        parts.clear();
      }
    }

    private void flaw(long offset, long bytes, String why, boolean torn) {
      boolean begun = !parts.isEmpty();
      parts.clear();
      broken = true;
      long from = begun ? partsAt : offset;
      flaws.add(new Flaw(from, offset + bytes - from, why, torn));
    }

    List<Flaw> finish() {
      if (!parts.isEmpty()) {
        dropParts("its end is missing");
        flaws.set(flaws.size() - 1, flaws.getLast().asTorn());
      }
      return List.copyOf(flaws);
    }
  }

  private static byte[] slice(byte[] bytes, int from, int to) {
    byte[] part = new byte[to - from];
    System.arraycopy(bytes, from, part, 0, part.length);
    return part;
  }
}
