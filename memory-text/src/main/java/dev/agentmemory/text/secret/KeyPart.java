package dev.agentmemory.text.secret;

/// Finds what only the parts of keys have: the lines of a key of PuTTY, and the private part of a
/// JSON web key.
final class KeyPart {

  private static final String LINES = "Private-Lines";
  private static final int LONGEST_KEY = 2000;
  private static final int LEAST = 40;
  private static final String KIND = "private_key";

  private KeyPart() {}

  /// @param start where a word begins
  /// @param end where it ends
  static Secret find(String text, int start, int end) {
    if (end - start == LINES.length() && text.startsWith(LINES, start)) {
      return PrivateKeyBlock.lines(text, end);
    }
    boolean part = end - start == 1 && "dkpq".indexOf(text.charAt(start)) >= 0;
    boolean named = part && Letters.at(text, start - 1) == '"' && Letters.at(text, end) == '"';
    return named ? webKey(text, start, end) : Secret.NONE;
  }

  private static Secret webKey(String text, int start, int end) {
    int colon = Letters.skip(text, end + 1, " ", 4);
    int open = Letters.skip(text, colon + 1, " ", 4);
    if (Letters.at(text, colon) != ':' || Letters.at(text, open) != '"') {
      return Secret.NONE;
    }
    int stop = open + 1;
    while (stop < text.length()
        && stop - open < LONGEST_KEY
        && Letters.isJoined(text.charAt(stop))) {
      stop++;
    }
    boolean enough = stop - open > LEAST && Letters.at(text, stop) == '"';
    boolean web =
        enough
            && text.substring(Math.max(0, start - LONGEST_KEY), Math.min(text.length(), stop + 200))
                .contains("\"kty\"");
    return web ? new Secret(open + 1, stop, KIND) : Secret.NONE;
  }
}
