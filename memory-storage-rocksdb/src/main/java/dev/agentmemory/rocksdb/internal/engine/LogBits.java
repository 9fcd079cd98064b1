package dev.agentmemory.rocksdb.internal.engine;

import java.util.OptionalInt;
import java.util.zip.CRC32C;

/// Finds a flipped bit by a CRC-32C.
///
/// Idea: the checksum is linear, so a flipped bit changes it by an amount that depends only on the
/// bit's distance from the end. In anything shorter than 2^31 bits these amounts are all different,
/// so the difference between the two checksums identifies the bit.
///
/// Limits: damage of several bits is mistaken for one bit with a probability of (number of bits) /
/// 2^32.
final class LogBits {

  /// The polynomial of CRC-32C (Castagnoli), with the lowest bit first.
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int[] TABLE = table();

  private LogBits() {}

  private static int[] table() {
    int[] table = new int[256];
    for (int value = 0; value < table.length; value++) {
      int rest = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        rest = (rest & 1) == 0 ? rest >>> 1 : rest >>> 1 ^ POLYNOMIAL;
      }
      table[value] = rest;
    }
    return table;
  }

  static int checksum(byte[] bytes, int from, int to) {
    var sum = new CRC32C();
    sum.update(bytes, from, to - from);
    return (int) sum.getValue();
  }

  /// The checksum as the log stores it: rotated right by 15 bits, plus a constant.
  static int masked(int sum) {
    return Integer.rotateRight(sum, 15) + 0xA282EAD8;
  }

  private static int unmasked(int stored) {
    return Integer.rotateLeft(stored - 0xA282EAD8, 15);
  }

  /// @param stored the masked checksum that the bytes should have
  /// @return the number of the bit that has to be flipped, counted from `from` and in each byte
  ///   from the lowest one; empty when no single bit explains the difference
  static OptionalInt flipped(byte[] bytes, int from, int to, int stored) {
    int difference = checksum(bytes, from, to) ^ unmasked(stored);
    int[] changes = new int[Byte.SIZE];
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      changes[bit] = TABLE[1 << bit];
    }
    for (int place = to - 1; place >= from; place--) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        if (changes[bit] == difference) {
          return OptionalInt.of((place - from) * Byte.SIZE + bit);
        }
        changes[bit] = changes[bit] >>> Byte.SIZE ^ TABLE[changes[bit] & 0xFF];
      }
    }
    return OptionalInt.empty();
  }
}
