package dev.agentmemory.text;

/// A run of characters between spaces, and its form. The characters are read once, and the form is
/// decided from the kinds of characters that occur.
record Chunk(String text, int start, int end) {

  private static final int MIN_HASH = 7;
  private static final int MAX_NAME = 60;

  private static final boolean[] ASCII = ascii();

  enum Shape {
    WORD,
    COMPOUND,
    SEPARATE,
    NUMBER,
    IDENTIFIER,
    PATH,
    CODE,
    OPAQUE
  }

  static boolean belongs(char c) {
    if (c < 0x80) {
      return ASCII[c];
    }
    return Character.isLetterOrDigit(c)
        || c == '’'
        || Character.getType(c) == Character.NON_SPACING_MARK;
  }

  private static boolean[] ascii() {
    var members = new boolean[0x80];
    for (char c = 0; c < members.length; c++) {
      members[c] = Character.isLetterOrDigit(c) || "_./\\-:@#+'~%$".indexOf(c) >= 0;
    }
    return members;
  }

  /// Removes punctuation that belongs to the sentence and not to the chunk.
  static Chunk trimmed(String text, int from, int to) {
    int start = from;
    int end = to;
    while (end > start && !isCore(text.charAt(end - 1)) && !isSuffix(text, start, end)) {
      end--;
    }
    while (start < end && !isCore(text.charAt(start)) && !isPrefix(text, start, end)) {
      start++;
    }
    return new Chunk(text, start, withoutLine(text, start, withoutLine(text, start, end)));
  }

  boolean isEmpty() {
    return start == end;
  }

  Shape shape() {
    // Most words of most texts.
    if (isLowerCase()) {
      return Shape.WORD;
    }
    Marks marks = marks();
    if (marks.plain()) {
      return Shape.WORD;
    }
    if (marks.link || end - start > MAX_NAME || isHash()) {
      return Shape.OPAQUE;
    }
    if (marks.slashes > 0) {
      return isPath(marks) ? Shape.PATH : Shape.SEPARATE;
    }
    if (marks.letters == 0) {
      return marks.dots > 1 ? Shape.CODE : Shape.NUMBER;
    }
    if (marks.dots > 0 && hasExtension()) {
      return Shape.PATH;
    }
    if (marks.underscores > 0 || marks.humps > 0 || marks.colons > 0 || isFlag()) {
      return Shape.IDENTIFIER;
    }
    if (marks.digits > 0) {
      return withDigits(marks);
    }
    if (marks.dots > 0) {
      return end - start <= 4 ? Shape.WORD : Shape.IDENTIFIER;
    }
    if (marks.hyphens > 0) {
      return Shape.COMPOUND;
    }
    return end - start <= 4 ? Shape.IDENTIFIER : Shape.SEPARATE;
  }

  /// Whether it has letters `a` to `z` only, after a capital or not.
  private boolean isLowerCase() {
    char first = text.charAt(start);
    for (int i = start + 1; i < end; i++) {
      char c = text.charAt(i);
      if (c < 'a' || c > 'z') {
        return false;
      }
    }
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  }

  private Shape withDigits(Marks marks) {
    boolean amount = Character.isDigit(text.charAt(start)) && marks.dots <= 1;
    return amount ? Shape.NUMBER : Shape.CODE;
  }

  private static final class Marks {
    int letters;
    int digits;
    int slashes;
    int dots;
    int underscores;
    int hyphens;
    int colons;
    int humps;
    int others;
    boolean link;

    boolean plain() {
      return digits + slashes + dots + underscores + hyphens + colons + humps + others == 0;
    }
  }

  private Marks marks() {
    var marks = new Marks();
    boolean lower = false;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (Character.isLetter(c)) {
        marks.letters++;
        boolean upper = Character.isUpperCase(c);
        marks.humps += upper && lower ? 1 : 0;
        lower = !upper;
        continue;
      }
      lower = false;
      switch (c) {
        case '/', '\\' -> marks.slashes++;
        case '.' -> marks.dots++;
        case '_', '@', '$', '#' -> marks.underscores++;
        case '-' -> marks.hyphens++;
        case '+', '~', '%' -> marks.others++;
        case ':' -> {
          marks.colons++;
          marks.link |= text.startsWith("://", i);
        }
        default -> marks.digits += Character.isDigit(c) ? 1 : 0;
      }
    }
    return marks;
  }

  private boolean isPath(Marks marks) {
    char first = text.charAt(start);
    return marks.slashes > 1
        || first == '/'
        || first == '~'
        || first == '.'
        || marks.underscores > 0
        || marks.humps > 0
        || hasExtension();
  }

  /// Whether it ends in a dot and one to five letters or digits after at least one other character,
  /// or begins with a dot.
  private boolean hasExtension() {
    int dot = text.lastIndexOf('.', end - 1);
    int length = end - dot - 1;
    if (dot == start && length > 2) {
      return true;
    }
    if (dot < start || length < 1 || length > 5 || !Character.isLowerCase(text.charAt(dot + 1))) {
      return false;
    }
    return dot - start > 1 && text.charAt(dot - 1) != '.';
  }

  private boolean isFlag() {
    return end - start > 3 && text.charAt(start) == '-' && text.charAt(start + 1) == '-';
  }

  private boolean isHash() {
    int digits = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (!digit && !(c >= 'a' && c <= 'f') && c != '-') {
        return false;
      }
      digits += digit ? 1 : 0;
    }
    return end - start >= MIN_HASH
        && digits > 0
        && digits < end - start
        && text.charAt(start) != '-'
        && hasLetter(text, start, end);
  }

  private static boolean hasLetter(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (Character.isLetter(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isCore(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || (c >= 0x300 && c != '’');
  }

  /// `C++`, `C#`, `90%`.
  private static boolean isSuffix(String text, int start, int end) {
    char c = text.charAt(end - 1);
    char before = end - 2 >= start ? text.charAt(end - 2) : ' ';
    return switch (c) {
      case '+' -> before == '+' && end - start <= 4;
      case '#' -> Character.isLetter(before) && end - start <= 2;
      case '%' -> Character.isDigit(before);
      default -> false;
    };
  }

  /// `/etc`, `./run`, `~/x`, `.gitignore`, `@name`, `--flag`.
  private static boolean isPrefix(String text, int start, int end) {
    char c = text.charAt(start);
    char next = start + 1 < end ? text.charAt(start + 1) : ' ';
    return switch (c) {
      case '/', '~', '.', '@' ->
          Character.isLetterOrDigit(next) || next == '/' || (c == '.' && next == '.');
      case '-' -> next == '-' && start + 2 < end && Character.isLetter(text.charAt(start + 2));
      default -> false;
    };
  }

  /// Without the line number of `Main.java:12` or `server.go:185-188`.
  private static int withoutLine(String text, int start, int end) {
    int at = end;
    while (at > start && (Character.isDigit(text.charAt(at - 1)) || text.charAt(at - 1) == '-')) {
      at--;
    }
    boolean line =
        at > start + 1
            && at < end
            && text.charAt(at - 1) == ':'
            && Character.isLetterOrDigit(text.charAt(at - 2))
            && hasLetter(text, start, at - 1);
    return line ? at - 1 : end;
  }
}
