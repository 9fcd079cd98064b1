package dev.agentmemory.text;

/// A term of a text.
///
/// @param text as it is written
/// @param key the same for equal terms: lower case, without a plural or possessive ending
/// @param start its index in the text
/// @param part whether it is a part of the term before it, such as `storage` of `memory-storage`
public record Term(Kind kind, String text, String key, int start, boolean part) {

  /// The kind of a term.
  public enum Kind {
    /// A function word, which has no meaning alone.
    STOP,
    /// A word of a greeting, of thanks or of applause.
    POLITE,
    /// A word that occurs in texts about any subject, such as `thing`.
    GENERIC,
    /// Any other word.
    WORD,
    /// A number, a date, a time or an amount with its unit.
    NUMBER,
    /// A name from a program: `camelCase`, `snake_case`, `a.b`, `--flag`.
    IDENTIFIER,
    /// A file name or path.
    PATH,
    /// A version, an error code, a ticket number or another mix of letters and digits.
    CODE,
    /// A link, a hash or another text that is not readable.
    OPAQUE,
    /// Two neighbouring ideographs or kana.
    CJK
  }

  public int end() {
    return start + text.length();
  }

  /// Whether it describes the subject.
  public boolean isContent() {
    return switch (kind) {
      case STOP, POLITE, OPAQUE -> false;
      case GENERIC, WORD, NUMBER, IDENTIFIER, PATH, CODE, CJK -> true;
    };
  }

  /// Whether it comes from a program rather than from a language.
  public boolean isTechnical() {
    return kind == Kind.IDENTIFIER || kind == Kind.PATH || kind == Kind.CODE;
  }
}
