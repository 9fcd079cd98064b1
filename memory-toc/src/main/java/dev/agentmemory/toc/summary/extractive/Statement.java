package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One or a few sentences of a turn that may become a bullet.
///
/// @param start index in the turn's text
/// @param end index behind it
/// @param purpose what its first sentence is for
/// @param content how much it tells
/// @param item whether it is an entry of a list
/// @param cut whether its last sentence goes on behind the end
/// @param keys the distinct keys of its content terms
record Statement(
    SpokenTurn turn,
    int start,
    int end,
    Sentence.Purpose purpose,
    List<Term> terms,
    double content,
    boolean item,
    boolean cut,
    Set<String> keys) {

  static Statement of(SpokenTurn turn, List<Sentence> sentences, boolean item) {
    var keys = new LinkedHashSet<String>();
    double content = 0;
    List<Term> terms = sentences.getFirst().terms();
    if (sentences.size() > 1) {
      terms = new ArrayList<>();
      for (Sentence sentence : sentences) {
        terms.addAll(sentence.terms());
      }
    }
    for (Term term : terms) {
      if (term.isContent() && term.kind() != Term.Kind.GENERIC) {
        keys.add(term.key());
      }
    }
    for (Sentence sentence : sentences) {
      content += sentence.content();
    }
    int start = sentences.getFirst().start();
    int end = sentences.getLast().end();
    var purpose = sentences.getFirst().purpose();
    return new Statement(
        turn, start, end, purpose, terms, content, item, sentences.getLast().cut(), keys);
  }

  String raw() {
    return turn.text().substring(start, end);
  }

  /// The statement as a line to read; what was too long for it ends in an ellipsis.
  String readable() {
    String line = PlainLine.capitalised(PlainLine.of(raw()));
    return cut ? line + "…" : line;
  }

  /// Whether a term is written with a capital where its place does not ask for one.
  boolean isProper(Term term) {
    if (!Character.isUpperCase(term.text().charAt(0))) {
      return false;
    }
    int before = term.start() - 1;
    while (before >= start && "\"'(*_ “‘`\n".indexOf(turn.text().charAt(before)) >= 0) {
      before--;
    }
    return before >= start && ".!?:…-–—•".indexOf(turn.text().charAt(before)) < 0;
  }
}
