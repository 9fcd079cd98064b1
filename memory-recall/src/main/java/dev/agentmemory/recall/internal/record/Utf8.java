package dev.agentmemory.recall.internal.record;

import dev.agentmemory.types.UnicodeText;

/// Bytes of UTF-8.
public final class Utf8 {

  private Utf8() {}

  /// The length of a text without half surrogate pairs, without encoding it.
  public static int length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // A pair of surrogates is two of four bytes.
        length += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return length;
  }

  /// Whether a text holds half a surrogate pair, which UTF-8 cannot express.
  public static boolean isBroken(String text) {
    return UnicodeText.hasLoneSurrogate(text);
  }
}
