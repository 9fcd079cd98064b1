package dev.agentmemory.rocksdb.internal.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;

/// Repairs one flipped bit in a part of a table file that is needed to open it: its footer, its
/// index or its properties.
///
/// Idea: each of these parts has a checksum, so the bit is found by trying. The right bit is the
/// one with which the file can be opened. With a checksum of 32 bits a wrong one passes once in 4
/// billion tries.
///
/// Limits: works on a copy. Every try opens the file, so this is for small ranges only.
public record BitRepair(Path file) {

  private static final Pattern BLOCK = Pattern.compile("offset (\\d+) size (\\d+)");

  /// The checksum and the compression type after a block.
  private static final int TRAILER = 5;

  /// Bytes at the end of the file that are tried when the engine does not say which part is
  /// damaged.
  private static final int TAIL = 4096;

  private static final int MOST_TRIES = 1 << 17;

  /// @param why the engine's reason for not opening the file
  /// @return whether it can be opened now
  public boolean repair(RocksDBException why) throws IOException {
    long length = Files.size(file);
    long from = Math.max(0, length - TAIL);
    long to = length;
    Matcher block = BLOCK.matcher(String.valueOf(why.getMessage()));
    if (block.find()) {
      from = Math.min(length, Long.parseLong(block.group(1)));
      to = Math.min(length, from + Long.parseLong(block.group(2)) + TRAILER);
    }
    if ((to - from) * Byte.SIZE > MOST_TRIES) {
      return false;
    }
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      // The footer is the last part and the smallest: begin there.
      for (long place = to - 1; place >= from; place--) {
        if (repairByte(bytes, place)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean repairByte(RandomAccessFile bytes, long place) throws IOException {
    bytes.seek(place);
    int was = bytes.read();
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      write(bytes, place, was ^ 1 << bit);
      if (opens()) {
        return true;
      }
    }
    write(bytes, place, was);
    return false;
  }

  private static void write(RandomAccessFile bytes, long place, int value) throws IOException {
    bytes.seek(place);
    bytes.write(value);
  }

  private boolean opens() {
    try (var table = new TableFile(file)) {
      table.open();
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }
}
