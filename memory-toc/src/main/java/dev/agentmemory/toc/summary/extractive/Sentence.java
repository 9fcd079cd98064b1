package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import java.util.List;

/// A sentence of a turn and what it is for.
///
/// @param start index in the turn's text, leading filler left out
/// @param content how much it tells: its content terms, generic ones counted half
/// @param cut whether it goes on behind `end`
record Sentence(
    Purpose purpose, int start, int end, List<Term> terms, double content, boolean cut) {

  /// What a sentence is for.
  enum Purpose {
    STATEMENT,
    /// It asks somebody to do something.
    REQUEST,
    QUESTION,
    /// It announces what follows.
    LABEL,
    /// Greetings, thanks, applause, remarks on one's own work.
    CHATTER
  }

  int length() {
    return end - start;
  }
}
