package dev.agentmemory.testkit.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Valid bytes and texts, changed at random.
public final class Changed {

  /// Pieces at which parsers fail.
  private static final List<String> PIECES =
      List.of(
          "",
          " ",
          "\u0000",
          "\n",
          "\"",
          "\\",
          "'",
          "\\u0000",
          "\uD83D",
          "\uDE00",
          "😀",
          "\u202E",
          "ä",
          "../",
          "%s",
          "%00",
          "${x}",
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          ":",
          "-",
          "*",
          "~",
          "^",
          " AND ",
          " OR ",
          " NOT ",
          "null",
          "true",
          "NaN",
          "-1",
          "0",
          "9223372036854775808",
          "1e999",
          "0x",
          "1970-01-01T00:00:00Z",
          "+292278994-08-17T07:12:55Z",
          "<hook_context>",
          "x".repeat(70_000),
          "[".repeat(3_000),
          "{\"a\":".repeat(2_000),
          "((((".repeat(200));

  private Changed() {}

  /// A text with one to four changes: a part that is missing, twice or elsewhere, another piece in
  /// between, a character that is another one.
  public static String text(String valid, RandomGenerator random) {
    String text = valid;
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(1, 20));
      String before = text.substring(0, from);
      String part = text.substring(from, to);
      String after = text.substring(to);
      text =
          switch (random.nextInt(6)) {
            case 0 -> before + after;
            case 1 -> before + part + part + after;
            case 2 -> before;
            case 3 -> before + (char) random.nextInt(0x300) + after;
            default -> before + piece(random) + part + after;
          };
    }
    return text;
  }

  /// Bytes with one to four changes: a bit, a byte, a part that is missing or twice, an end that is
  /// cut off.
  public static byte[] bytes(byte[] valid, RandomGenerator random) {
    byte[] bytes = valid.clone();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      if (bytes.length == 0) {
        return new byte[] {(byte) random.nextInt()};
      }
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 -> bytes = joined(bytes, at, bytes, Math.max(0, at - random.nextInt(16)));
        default -> bytes = joined(bytes, at, bytes, Math.min(bytes.length, at + 1));
      }
    }
    return bytes;
  }

  /// A text or its bytes, changed.
  public static byte[] bytesOf(String valid, RandomGenerator random) {
    return random.nextBoolean()
        ? text(valid, random).getBytes(StandardCharsets.UTF_8)
        : bytes(valid.getBytes(StandardCharsets.UTF_8), random);
  }

  static String piece(RandomGenerator random) {
    return PIECES.get(random.nextInt(PIECES.size()));
  }

  private static byte[] joined(byte[] first, int to, byte[] second, int from) {
    byte[] all = Arrays.copyOf(first, to + second.length - from);
    System.arraycopy(second, from, all, to, second.length - from);
    return all;
  }
}
