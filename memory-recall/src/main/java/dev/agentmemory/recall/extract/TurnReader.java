package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Mood;
import dev.agentmemory.recall.internal.grammar.QuotedSpans;
import dev.agentmemory.recall.internal.grammar.TokenReader;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Paragraph;
import dev.agentmemory.text.Prose;
import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.Slice;
import java.util.ArrayList;
import java.util.List;

/// Splits a turn into sentences. Code, tables, output and quoted lines are left out. What a person
/// writes below a heading is a document and left out, too.
final class TurnReader {

  private static final int SHORT = 5;
  private static final String CLOSING = "\"')]*_\u201d\u2019 ";

  private final String text;
  private final List<TurnSentence> sentences = new ArrayList<>();
  private CueCounts head = CueCounts.NONE;

  private TurnReader(String text) {
    this.text = text;
  }

  static List<TurnSentence> read(TurnSpeaker speaker, String text) {
    var reader = new TurnReader(text);
    int end = speaker == TurnSpeaker.PERSON ? heading(text) : text.length();
    for (Paragraph paragraph : Prose.of(text)) {
      if (paragraph.end() <= end) {
        reader.read(paragraph);
      }
    }
    return reader.sentences;
  }

  /// Where the first heading begins; the end of the text when there is none.
  private static int heading(String text) {
    int line = 0;
    while (line < text.length()) {
      int mark = line;
      while (mark < text.length() && text.charAt(mark) == '#') {
        mark++;
      }
      if (mark > line && mark < text.length() && text.charAt(mark) == ' ') {
        return line;
      }
      int feed = text.indexOf('\n', line);
      line = feed < 0 ? text.length() : feed + 1;
    }
    return text.length();
  }

  private void read(Paragraph paragraph) {
    int first = sentences.size();
    List<Slice> quotes = QuotedSpans.of(text, paragraph.start(), paragraph.end());
    for (Slice slice : joined(paragraph, quotes)) {
      List<WordToken> tokens = TokenReader.read(text, slice.start(), slice.end(), quotes);
      int from = 0;
      for (int i = 1; i <= tokens.size(); i++) {
        boolean last = i == tokens.size();
        if (last || isStop(tokens, i)) {
          int end = last ? slice.end() : tokens.get(i).start();
          add(tokens.subList(from, i), end, paragraph.item(), first);
          from = i;
        }
      }
    }
    if (!paragraph.item()) {
      boolean announces = sentences.size() > first && endsIn(':', paragraph.end());
      head = announces ? sentences.getLast().cues() : CueCounts.NONE;
    }
  }

  /// Whether a sentence begins at a token in the middle of what has no capitals: `it works. now the
  /// docs`.
  private static boolean isStop(List<WordToken> tokens, int at) {
    WordToken mark = tokens.get(at - 1);
    return mark.is(".")
        && at > 1
        && !WordClass.isAbbreviation(tokens.get(at - 2).key())
        && !tokens.get(at - 2).is(WordClass.NAME);
  }

  /// The sentences of a paragraph. None ends within a quote.
  private List<Slice> joined(Paragraph paragraph, List<Slice> quotes) {
    var joined = new ArrayList<Slice>();
    int quote = 0;
    for (Slice slice : Sentences.split(text, paragraph.start(), paragraph.end())) {
      boolean within = false;
      while (quote < quotes.size() && quotes.get(quote).start() < slice.start()) {
        within = quotes.get(quote).end() > slice.start();
        if (within) {
          break;
        }
        quote++;
      }
      int start = within && !joined.isEmpty() ? joined.removeLast().start() : slice.start();
      joined.add(new Slice(start, slice.end()));
    }
    return joined;
  }

  private void add(List<WordToken> tokens, int end, boolean item, int first) {
    boolean marked = endsIn('?', end);
    TurnSentence sentence = TurnSentence.of(tokens, item, marked, item ? head : CueCounts.NONE);
    int question = question(sentence.clauses());
    if (question > 0) {
      int border = sentence.clauses().get(question - 1).end();
      TurnSentence before = sentence.part(0, border);
      boolean open =
          before.has(Mood.CONDITION)
              || before.count(CueGroup.HYPOTHETICAL) > 0
              || before.isFragment();
      sentences.add(open ? ask(before) : before);
      sentences.add(ask(sentence.part(border, tokens.size())));
      return;
    }
    TurnSentence read = question == 0 ? ask(sentence) : sentence;
    boolean continues =
        sentences.size() > first
            && isShortFragment(sentences.getLast())
            && read.isFragment()
            && !read.asks()
            && Character.isLowerCase(text.charAt(read.start()));
    if (continues) {
      var all = new ArrayList<>(sentences.removeLast().tokens());
      all.addAll(tokens);
      read = TurnSentence.of(all, item, false, read.head());
    }
    sentences.add(read);
  }

  private static TurnSentence ask(TurnSentence sentence) {
    return new TurnSentence(
        sentence.tokens(),
        sentence.clauses(),
        sentence.cues(),
        sentence.item(),
        true,
        sentence.head());
  }

  private static boolean isShortFragment(TurnSentence sentence) {
    return sentence.isFragment()
        && !sentence.asks()
        && sentence.words() < SHORT
        && !sentence.tokens().getFirst().is(WordClass.OPENER)
        && !sentence.tokens().getFirst().is(WordClass.COURTESY);
  }

  /// The index of the first clause that asks, -1 when none does.
  private static int question(List<ClauseShape> clauses) {
    for (int i = 0; i < clauses.size(); i++) {
      if (clauses.get(i).mood() == Mood.QUESTION) {
        return i;
      }
    }
    return -1;
  }

  private boolean endsIn(char mark, int end) {
    int at = end - 1;
    while (at > 0 && CLOSING.indexOf(text.charAt(at)) >= 0) {
      at--;
    }
    return text.charAt(at) == mark;
  }
}
