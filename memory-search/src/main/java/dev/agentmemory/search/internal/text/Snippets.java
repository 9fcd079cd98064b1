package dev.agentmemory.search.internal.text;

import dev.agentmemory.api.search.Snippet;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/// Cuts out of a text the part that shows best why it was found.
public final class Snippets {

  /// Longest snippet, in UTF-16 units, the dots at its ends not counted.
  static final int LENGTH = 240;

  /// What is read of a text, in UTF-16 units.
  private static final int READ = 32_768;

  /// Units around a place in which the borders of characters are looked for.
  private static final int AROUND = 32;

  private final Analysis analysis;
  private final Set<String> terms;

  /// @param query whose words to highlight
  public Snippets(Analysis analysis, String query) {
    this.analysis = analysis;
    this.terms = new HashSet<>(Analysis.terms(analysis.words(), query));
    terms.removeAll(analysis.askingTerms());
  }

  public Snippet of(String text) {
    return of(text, LENGTH);
  }

  /// @param length at most, in UTF-16 units, the dots at its ends not counted
  public Snippet of(String text, int length) {
    String read = text.substring(0, Math.min(READ, text.length()));
    List<Snippet.Highlight> found = find(read);
    int start = start(read, found, length);
    int end = end(read, start + length);
    String before = start > 0 ? "…" : "";
    String after = end < text.length() ? "…" : "";
    int shift = before.length() - start;
    List<Snippet.Highlight> inside =
        found.stream()
            .filter(mark -> mark.start() >= start && mark.end() <= end)
            .map(mark -> new Snippet.Highlight(mark.start() + shift, mark.end() + shift))
            .toList();
    return new Snippet(before + read.substring(start, end) + after, inside);
  }

  private List<Snippet.Highlight> find(String text) {
    List<Snippet.Highlight> found = new ArrayList<>();
    try (TokenStream stream = analysis.words().tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      stream.reset();
      int covered = 0;
      while (stream.incrementToken()) {
        // Bigrams overlap; so does an identifier with its parts.
        if (terms.contains(term.toString()) && offset.endOffset() > covered) {
          int start = Math.max(covered, offset.startOffset());
          covered = offset.endOffset();
          found.add(new Snippet.Highlight(start, covered));
        }
      }
      stream.end();
    } catch (IOException e) {
      throw new AssertionError("a string cannot fail to be read", e);
    }
    return found;
  }

  /// Start of the window with the most highlights, at the start of a word.
  private static int start(String text, List<Snippet.Highlight> found, int length) {
    if (text.length() <= length || found.isEmpty()) {
      return 0;
    }
    int best = 0;
    int most = -1;
    for (int i = 0; i < found.size(); i++) {
      int from = Math.max(0, found.get(i).start() - length / 6);
      int inside = 0;
      for (int j = i; j < found.size() && found.get(j).end() <= from + length; j++) {
        inside++;
      }
      if (inside > most) {
        most = inside;
        best = from;
      }
    }
    int start = Math.min(best, text.length() - length);
    while (start > 0 && start < text.length() && !Character.isWhitespace(text.charAt(start - 1))) {
      start--;
      if (best - start > length / 6) {
        return whole(text, best);
      }
    }
    return start;
  }

  /// Behind a word, if one ends near.
  private static int end(String text, int at) {
    if (at >= text.length()) {
      return text.length();
    }
    for (int i = at; i > at - AROUND && i > 0; i--) {
      if (Character.isWhitespace(text.charAt(i))) {
        return i;
      }
    }
    return whole(text, at);
  }

  /// Never inside what a reader sees as one character.
  private static int whole(String text, int at) {
    int from = Math.max(0, at - AROUND);
    String near = text.substring(from, Math.min(text.length(), at + AROUND));
    BreakIterator borders = BreakIterator.getCharacterInstance(Locale.ROOT);
    borders.setText(near);
    return borders.isBoundary(at - from) ? at : from + borders.preceding(at - from);
  }
}
