package dev.agentmemory.text;

/// A term of a text.
///
/// @param text as it is written
/// @param key what equal terms have in common: lower case, without a plural or possessive ending
/// @param start where it stands
/// @param part whether it is only a piece of the term before it, such as `storage` of
///   `memory-storage`
public record Term(Kind kind, String text, String key, int start, boolean part) {

  /// What a term looks like.
  public enum Kind {
    /// A function word, which says nothing alone.
    STOP,
    /// A word of a greeting, of thanks or of applause.
    POLITE,
    /// A word that stands in every text, such as `thing`.
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
    /// A link, a hash or another text that nobody reads or remembers.
    OPAQUE,
    /// Two neighbouring ideographs or kana.
    CJK
  }

  public int end() {
    return start + text.length();
  }

  /// Whether it tells something about the subject.
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
