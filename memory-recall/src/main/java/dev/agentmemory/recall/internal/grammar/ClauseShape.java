package dev.agentmemory.recall.internal.grammar;

/// The grammar of a clause, as far as it tells what the clause is for.
///
/// @param start index of its first token behind its openers
/// @param end index behind its last token
/// @param verbAt index of its finite verb; `end` when it has none
/// @param verb bits of the classes of its main verb, 0 when it has none
public record ClauseShape(
    int start,
    int end,
    int verbAt,
    Subject subject,
    Mood mood,
    Tense tense,
    Traits traits,
    long verb) {

  /// @param lasting whether an adverb says that it holds always, never or usually
  public record Traits(boolean negated, boolean passive, boolean lasting) {}

  /// Who or what it is about.
  public enum Subject {
    I,
    WE,
    YOU,
    /// He, she, they.
    THEY,
    /// It, this, that, there.
    IT,
    /// Somebody who is named by a noun.
    PERSON,
    /// A name from a program.
    CODE,
    /// A thing with an article or possessive.
    THE_THING,
    /// A thing without an article, or any one.
    A_THING,
    /// Nothing is named: orders, fragments and elided subjects.
    NONE
  }

  /// What it does.
  public enum Mood {
    STATEMENT,
    ORDER,
    QUESTION,
    /// `Let's …`.
    PROPOSAL,
    /// A clause that begins with `if` or another condition.
    CONDITION,
    /// A clause that begins with another subordinating word.
    SUBORDINATE,
    /// Without a finite verb.
    FRAGMENT;

    /// Its place among the moods.
    // Not stored.
    @SuppressWarnings("EnumOrdinal")
    public int index() {
      return ordinal();
    }
  }

  /// When.
  public enum Tense {
    PRESENT,
    PAST,
    PERFECT,
    FUTURE,
    PROGRESSIVE,
    MODAL,
    NONE;

    /// Its place among the tenses.
    // Not stored.
    @SuppressWarnings("EnumOrdinal")
    public int index() {
      return ordinal();
    }
  }

  public boolean hasVerb(WordClass kind) {
    return (verb & kind.bit()) != 0;
  }
}
