package dev.agentmemory.testkit.bytes;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/// The texts that are looked for, in each form that files may contain: UTF-8, UTF-16, escaped as in
/// JSON, and base 64. Upper and lower case of ASCII letters are the same, except in base 64. All of
/// them are found in one pass, by the algorithm of Wu and Manber.
final class Needles {

  /// A shorter text could be in a file by chance.
  static final int SHORTEST = 8;

  /// Bytes that are looked up together.
  private static final int BLOCK = 3;

  private static final int SLOTS = 1 << 18;
  private static final int HASH_BITS = 18;
  private static final byte[] FOLDED = folded();

  /// A text in one form.
  static final class Pattern {

    private final String needle;
    private final String form;
    private final byte[] bytes;
    private final boolean exact;

    Pattern(String needle, String form, byte[] bytes, boolean exact) {
      this.needle = needle;
      this.form = form;
      this.bytes = bytes;
      this.exact = exact;
    }

    String needle() {
      return needle;
    }

    String form() {
      return form;
    }

    private boolean isAt(byte[] text, int at) {
      for (int i = 0; i < bytes.length; i++) {
        byte there = exact ? text[at + i] : fold(text[at + i]);
        if (there != bytes[i]) {
          return false;
        }
      }
      return true;
    }
  }

  /// Receives what is found.
  interface Matches {
    void found(Pattern pattern, int at);
  }

  private final List<Pattern> patterns = new ArrayList<>();
  private final byte[] shifts = new byte[SLOTS];

  /// The patterns by the hash of the block at the end of their first [#window] bytes.
  private final List<List<Pattern>> ending = new ArrayList<>();

  private final int window;
  private final int longest;

  /// @throws IllegalArgumentException for a text that is too short
  Needles(Collection<String> needles) {
    for (String needle : new LinkedHashSet<>(needles)) {
      add(needle);
    }
    if (patterns.isEmpty()) {
      throw new IllegalArgumentException("needles: there are none; give at least one text");
    }
    window =
        Math.min(
            patterns.stream().mapToInt(pattern -> pattern.bytes.length).min().orElseThrow(),
            Byte.MAX_VALUE);
    longest = patterns.stream().mapToInt(pattern -> pattern.bytes.length).max().orElseThrow();
    Arrays.fill(shifts, (byte) (window - BLOCK + 1));
    for (int i = 0; i < SLOTS; i++) {
      ending.add(List.of());
    }
    patterns.forEach(this::index);
  }

  private void add(String needle) {
    byte[] plain = needle.getBytes(StandardCharsets.UTF_8);
    if (plain.length < SHORTEST) {
      throw new IllegalArgumentException(
          "needles: '%s' is too short; a text needs %d bytes".formatted(needle, SHORTEST));
    }
    add(needle, "utf-8", StandardCharsets.UTF_8);
    utf16(needle, plain.length == needle.length());
    for (boolean ascii : new boolean[] {false, true}) {
      String once = escaped(needle, ascii);
      if (!once.equals(needle)) {
        add(needle, "json", once.getBytes(StandardCharsets.UTF_8));
        add(needle, "json in json", escaped(once, ascii).getBytes(StandardCharsets.UTF_8));
      }
    }
    for (int before = 0; before < BLOCK; before++) {
      base64(needle, plain, before);
    }
  }

  /// Text of ASCII characters is the same in both byte orders, but for the zero before or behind
  /// it.
  private void utf16(String needle, boolean ascii) {
    if (ascii) {
      byte[] little = needle.getBytes(StandardCharsets.UTF_16LE);
      add(needle, "utf-16", Arrays.copyOf(little, little.length - 1));
    } else {
      add(needle, "utf-16", StandardCharsets.UTF_16LE);
      add(needle, "utf-16", StandardCharsets.UTF_16BE);
    }
  }

  private void add(String needle, String form, Charset charset) {
    add(needle, form, needle.getBytes(charset));
  }

  private void add(String needle, String form, byte[] bytes) {
    byte[] lower = bytes.clone();
    for (int i = 0; i < lower.length; i++) {
      lower[i] = fold(lower[i]);
    }
    patterns.add(new Pattern(needle, form, lower, /* exact= */ false));
  }

  /// The characters of base 64 that follow from the text alone.
  ///
  /// @param before how many bytes of the encoded text precede it, modulo 3
  private void base64(String needle, byte[] plain, int before) {
    byte[] shifted = new byte[before + plain.length];
    System.arraycopy(plain, 0, shifted, before, plain.length);
    int from = before == 0 ? 0 : before + 1;
    int to = shifted.length * Byte.SIZE / 6;
    String standard =
        Base64.getEncoder().withoutPadding().encodeToString(shifted).substring(from, to);
    String url =
        Base64.getUrlEncoder().withoutPadding().encodeToString(shifted).substring(from, to);
    exact(needle, "base64", standard);
    if (!url.equals(standard)) {
      exact(needle, "base64 (url)", url);
    }
  }

  private void exact(String needle, String form, String text) {
    patterns.add(
        new Pattern(needle, form, text.getBytes(StandardCharsets.US_ASCII), /* exact= */ true));
  }

  private static String escaped(String text, boolean ascii) {
    var escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      switch (one) {
        case '"' -> escaped.append("\\\"");
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> {
          if (one < ' ' || (ascii && one > '~')) {
            escaped.append("\\u%04x".formatted((int) one));
          } else {
            escaped.append(one);
          }
        }
      }
    }
    return escaped.toString();
  }

  private void index(Pattern pattern) {
    for (int end = BLOCK; end <= window; end++) {
      int hash = hash(pattern.bytes, end - 1);
      shifts[hash] = (byte) Math.min(shifts[hash], window - end);
    }
    int last = hash(pattern.bytes, window - 1);
    var there = new ArrayList<>(ending.get(last));
    there.add(pattern);
    ending.set(last, there);
  }

  /// Length of the longest pattern.
  int longest() {
    return longest;
  }

  /// Looks into a range of bytes.
  void search(byte[] text, int from, int to, Matches matches) {
    int end = from + window - 1;
    while (end < to) {
      int hash = hash(text, end);
      int shift = shifts[hash];
      if (shift == 0) {
        int at = end - window + 1;
        for (Pattern pattern : ending.get(hash)) {
          if (at + pattern.bytes.length <= to && pattern.isAt(text, at)) {
            matches.found(pattern, at);
          }
        }
        shift = 1;
      }
      end += shift;
    }
  }

  /// The hash of the block that ends at this byte.
  private static int hash(byte[] text, int end) {
    int block =
        (fold(text[end - 2]) & 0xFF) << 16
            | (fold(text[end - 1]) & 0xFF) << 8
            | (fold(text[end]) & 0xFF);
    return (block * 0x9E3779B1) >>> (Integer.SIZE - HASH_BITS);
  }

  private static byte fold(byte one) {
    return FOLDED[one & 0xFF];
  }

  private static byte[] folded() {
    byte[] folded = new byte[256];
    for (int i = 0; i < folded.length; i++) {
      folded[i] = (byte) (i >= 'A' && i <= 'Z' ? i + ('a' - 'A') : i);
    }
    return folded;
  }
}
