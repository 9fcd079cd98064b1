package dev.agentmemory.agents.transcript;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Finds ASCII text in bytes by the algorithm of Horspool ("Practical fast searching in strings",
/// 1980): most steps pass over as many bytes as the text is long.
final class BytePattern {

  private final byte[] wanted;

  /// How far the text can be moved, by the byte at its last place.
  private final int[] shift = new int[256];

  /// @param wanted not empty
  BytePattern(String wanted) {
    this.wanted = wanted.getBytes(StandardCharsets.US_ASCII);
    int last = this.wanted.length - 1;
    Arrays.fill(shift, this.wanted.length);
    for (int i = 0; i < last; i++) {
      shift[this.wanted[i] & 0xff] = last - i;
    }
  }

  /// Whether the text is in the bytes.
  boolean isIn(byte[] bytes, int from, int length) {
    int last = wanted.length - 1;
    byte ending = wanted[last];
    int[] steps = shift;
    int end = from + length;
    for (int at = from + last; at < end; at += steps[bytes[at] & 0xff]) {
      // Most bytes are another one, and a call for each of them would take longer than the search.
      if (bytes[at] == ending && starts(bytes, at - last)) {
        return true;
      }
    }
    return false;
  }

  private boolean starts(byte[] bytes, int from) {
    return Arrays.equals(bytes, from, from + wanted.length, wanted, 0, wanted.length);
  }

  int length() {
    return wanted.length;
  }
}
