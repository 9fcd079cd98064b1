package dev.agentmemory.client.internal.http2;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Decodes the compressed strings of HTTP/2 headers (RFC 7541, appendix B).
///
/// Idea: the code is canonical. Codes of one length are consecutive in the order of their symbols,
/// and the first code of a length follows the last one of the length before. So the lengths
/// determine the code.
final class Huffman {

  /// The length of each byte's code and, last, of the end-of-string symbol; A is 5 bits, B is 6.
  private static final String LENGTHS =
      "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHFIBCCCCCCCCCCCCCC"
          + "CCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIXPRPPRRRSRSSSSSTSTTRSTSSSSQRSRSST"
          + "RQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRSVVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVS"
          + "VWVVWWWWWXWWWWWVZ";

  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;
  private static final int PADDING = 7;

  /// Symbols in the order of their codes, and where those of a length begin: in the list, and as a
  /// code.
  private final short[] symbols = new short[LENGTHS.length()];

  private final int[] places = new int[LONGEST + 2];
  private final int[] codes = new int[LONGEST + 2];

  Huffman() {
    int place = 0;
    int code = 0;
    for (int bits = SHORTEST; bits <= LONGEST; bits++) {
      places[bits] = place;
      codes[bits] = code;
      for (short symbol = 0; symbol < symbols.length; symbol++) {
        if (LENGTHS.charAt(symbol) - 'A' + SHORTEST == bits) {
          symbols[place++] = symbol;
        }
      }
      code = (code + place - places[bits]) << 1;
    }
    places[LONGEST + 1] = place;
  }

  /// @throws IOException when the bytes are not a valid string
  String decode(byte[] bytes, int from, int to) throws IOException {
    var text = new byte[(to - from) * 8 / SHORTEST];
    int length = 0;
    int code = 0;
    int bits = 0;
    for (int bit = from * 8; bit < to * 8; bit++) {
      code = (code << 1) | ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
      bits++;
      int symbol = symbol(code, bits);
      if (symbol >= 0) {
        text[length++] = (byte) symbol;
        code = 0;
        bits = 0;
      }
    }
    if (bits > PADDING || code != (1 << bits) - 1) {
      throw new IOException("invalid Huffman padding in a header");
    }
    return new String(text, 0, length, StandardCharsets.ISO_8859_1);
  }

  /// @return -1 when more bits are needed
  private int symbol(int code, int bits) throws IOException {
    if (bits < SHORTEST) {
      return -1;
    }
    if (bits > LONGEST) {
      throw new IOException("invalid Huffman code in a header");
    }
    int place = places[bits] + code - codes[bits];
    if (code < codes[bits] || place >= places[bits + 1]) {
      return -1;
    }
    int symbol = symbols[place];
    if (symbol > 0xff) {
      throw new IOException("end-of-string symbol inside a header");
    }
    return symbol;
  }
}
