package dev.agentmemory.search;

import dev.agentmemory.types.search.Snippet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/// Cuts out of a text the part that shows best why it was found.
final class Snippets {

  /// Longest snippet, in UTF-16 units, the dots at its ends not counted.
  static final int LENGTH = 240;

  /// What is read of a text, in UTF-16 units.
  private static final int READ = 32_768;

  private final Analysis analysis;
  private final Set<String> terms;

  /// @param terms what to highlight
  Snippets(Analysis analysis, Set<String> terms) {
    this.analysis = analysis;
    this.terms = terms;
  }

  Snippet of(String text) {
    String read = text.substring(0, Math.min(READ, text.length()));
    List<Snippet.Highlight> found = find(read);
    int start = start(read, found);
    int end = end(read, start);
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

  /// Where the stretch with the most highlights begins, at the start of a word.
  private static int start(String text, List<Snippet.Highlight> found) {
    if (text.length() <= LENGTH || found.isEmpty()) {
      return 0;
    }
    int best = 0;
    int most = -1;
    for (int i = 0; i < found.size(); i++) {
      int from = Math.max(0, found.get(i).start() - LENGTH / 6);
      int inside = 0;
      for (int j = i; j < found.size() && found.get(j).end() <= from + LENGTH; j++) {
        inside++;
      }
      if (inside > most) {
        most = inside;
        best = from;
      }
    }
    int start = Math.min(best, text.length() - LENGTH);
    while (start > 0 && start < text.length() && !Character.isWhitespace(text.charAt(start - 1))) {
      start--;
      if (best - start > LENGTH / 6) {
        return whole(text, best);
      }
    }
    return start;
  }

  private static int end(String text, int start) {
    return whole(text, Math.min(text.length(), start + LENGTH));
  }

  /// Never between the halves of a character.
  private static int whole(String text, int at) {
    boolean half = at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at));
    return half ? at - 1 : at;
  }
}
