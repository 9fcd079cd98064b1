package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.Paragraph;
import dev.agentmemory.text.Prose;
import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.Slice;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.extractive.Sentence.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads turns for what they state. Short sentences that follow each other become one statement,
/// since alone they rarely say what they are about.
///
/// @param names names of who takes part, in lower case; they tell nothing about the subject
record StatementReader(Set<String> names) {

  /// Longest excerpt of a statement, in UTF-16 units.
  static final int MAX_CHARS = 240;

  private static final int MERGED_CHARS = 170;
  private static final double LEAST_CONTENT = 2;

  List<Statement> read(SpokenTurn turn) {
    var statements = new ArrayList<Statement>();
    for (Paragraph paragraph : Prose.of(turn.text())) {
      read(turn, paragraph, statements);
    }
    return statements;
  }

  /// Each sentence for itself, whatever it is for.
  List<Statement> sentences(SpokenTurn turn, List<Paragraph> paragraphs) {
    var statements = new ArrayList<Statement>();
    for (Paragraph paragraph : paragraphs) {
      for (Slice slice : Sentences.split(turn.text(), paragraph.start(), paragraph.end())) {
        Sentence sentence = sentence(turn, slice);
        if (sentence.length() > 0) {
          statements.add(Statement.of(turn, List.of(sentence), paragraph.item()));
        }
      }
    }
    return statements;
  }

  private void read(SpokenTurn turn, Paragraph paragraph, List<Statement> statements) {
    var open = new ArrayList<Sentence>();
    for (Slice slice : Sentences.split(turn.text(), paragraph.start(), paragraph.end())) {
      Sentence sentence = sentence(turn, slice);
      boolean usable = isUsable(sentence);
      if (!open.isEmpty() && !(usable && joins(open, sentence))) {
        close(turn, open, paragraph, statements);
      }
      if (usable) {
        open.add(sentence);
      }
    }
    close(turn, open, paragraph, statements);
  }

  private static void close(
      SpokenTurn turn, List<Sentence> open, Paragraph paragraph, List<Statement> statements) {
    if (!open.isEmpty()) {
      var statement = Statement.of(turn, open, paragraph.item());
      if (statement.content() >= LEAST_CONTENT) {
        statements.add(statement);
      }
      open.clear();
    }
  }

  private static boolean isUsable(Sentence sentence) {
    return switch (sentence.purpose()) {
      case STATEMENT, REQUEST -> sentence.content() >= 1;
      case QUESTION -> sentence.content() >= LEAST_CONTENT;
      case LABEL, CHATTER -> false;
    };
  }

  private static boolean joins(List<Sentence> open, Sentence next) {
    boolean question =
        open.getFirst().purpose() == Purpose.QUESTION || next.purpose() == Purpose.QUESTION;
    return !question && next.end() - open.getFirst().start() <= MERGED_CHARS;
  }

  private Sentence sentence(SpokenTurn turn, Slice slice) {
    String text = turn.text();
    int start = Filler.skip(text, slice.start(), slice.end(), names);
    int end = withoutAnnotation(text, start, slice.end());
    boolean cut = end - start > MAX_CHARS;
    if (cut) {
      end = Graphemes.wordBorder(text, start, MAX_CHARS);
    }
    List<Term> terms = Terms.of(text, start, end);
    var purpose = purpose(turn, start, end, slice.end(), terms);
    return new Sentence(purpose, start, end, terms, content(terms), cut);
  }

  /// Without a remark of the adapter such as `[image: a dog]` behind the words.
  private static int withoutAnnotation(String text, int start, int end) {
    int open = text.charAt(end - 1) == ']' ? text.lastIndexOf('[', end - 1) : -1;
    boolean named = open > start && text.substring(open, end).indexOf(": ") > 0;
    int at = named ? open : end;
    while (named && at > start && Character.isWhitespace(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static Purpose purpose(
      SpokenTurn turn, int start, int end, int fullEnd, List<Term> terms) {
    String text = turn.text();
    if (end - start < 2 || (text.charAt(start) == '[' && text.charAt(fullEnd - 1) == ']')) {
      return Purpose.CHATTER;
    }
    if (Cues.isChatter(text, start, end, terms, turn.isAgent())) {
      return Purpose.CHATTER;
    }
    if (turn.kind() == SpeakerKind.PERSON && Requests.isRequest(text, start, end)) {
      return Purpose.REQUEST;
    }
    return switch (text.charAt(fullEnd - 1)) {
      case '?', '？' -> Purpose.QUESTION;
      case ':', '：' -> Purpose.LABEL;
      default -> Purpose.STATEMENT;
    };
  }

  private double content(List<Term> terms) {
    double content = 0;
    for (Term term : terms) {
      if (term.part() || names.contains(term.key())) {
        continue;
      }
      content +=
          switch (term.kind()) {
            case STOP, POLITE, OPAQUE -> 0;
            case GENERIC, NUMBER -> 0.5;
            case CJK -> 0.4;
            case WORD, IDENTIFIER, PATH, CODE -> 1;
          };
    }
    return content;
  }
}
