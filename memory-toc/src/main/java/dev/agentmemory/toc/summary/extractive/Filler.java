package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.ListMarker;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Term.Kind;
import dev.agentmemory.text.Terms;
import java.util.List;
import java.util.Set;

/// Openings that carry nothing: `Sure!`, `OK, so`, `Great question -`, `Thanks, Ana!`.
final class Filler {

  private static final Lexicon WORDS = Lexicon.beside(Filler.class, "fillers.txt");
  private static final Set<String> OPENINGS = WORDS.words("opening");
  private static final Set<String> CALLS = WORDS.words("call");
  private static final Set<String> LINKS = WORDS.words("link");
  private static final int LONGEST = 40;

  private Filler() {}

  /// Where a sentence starts to say something.
  ///
  /// @param names names of who takes part, in lower case
  static int skip(String text, int start, int end, Set<String> names) {
    int at = skipMarks(text, start, end);
    at = at < end ? ListMarker.skip(text, at, end) : at;
    for (int round = 0; round < 3; round++) {
      int next = skipPhrase(text, at, end, names);
      next = next == at ? skipLink(text, at, end) : next;
      if (next == at || next >= end) {
        break;
      }
      at = skipMarks(text, next, end);
    }
    return at;
  }

  private static int skipPhrase(String text, int start, int end, Set<String> names) {
    int stop = start;
    while (stop < end
        && stop - start < LONGEST
        && ",!.—–:;，！。、：".indexOf(text.charAt(stop)) < 0
        && !text.startsWith(" - ", stop)) {
      stop++;
    }
    if (stop >= end
        || stop - start >= LONGEST
        || (text.charAt(stop) == '.' && stop + 1 < end && text.charAt(stop + 1) != ' ')) {
      return start;
    }
    if (!isEmpty(Terms.of(text, start, stop), text.charAt(stop), names)) {
      return start;
    }
    int next = text.startsWith(" - ", stop) ? stop + 3 : stop + 1;
    while (next < end && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return next;
  }

  /// Whether a phrase only greets, thanks, applauds, links or calls somebody by name.
  private static boolean isEmpty(List<Term> terms, char stop, Set<String> names) {
    if (terms.isEmpty()) {
      return false;
    }
    boolean polite = terms.getFirst().kind() == Kind.POLITE && terms.size() <= 4;
    boolean called = CALLS.contains(terms.getFirst().key()) && terms.size() <= 4;
    boolean call = terms.size() == 1 && stop == '!';
    for (Term term : terms) {
      boolean empty =
          term.kind() == Kind.POLITE || OPENINGS.contains(term.key()) || names.contains(term.key());
      boolean name = term.kind() == Kind.WORD && Character.isUpperCase(term.text().charAt(0));
      boolean loose = (polite && term.kind() == Kind.GENERIC) || (name && (call || called));
      if (!empty && !loose) {
        return false;
      }
    }
    return true;
  }

  private static int skipLink(String text, int start, int end) {
    int stop = start;
    while (stop < end && Character.isLetter(text.charAt(stop))) {
      stop++;
    }
    boolean link =
        stop < end - 1
            && text.charAt(stop) == ' '
            && stop - start <= 4
            && LINKS.contains(Cues.lower(text, start, stop));
    return link ? stop + 1 : start;
  }

  /// Markdown emphasis, quotes and white space at the start.
  private static int skipMarks(String text, int start, int end) {
    int at = start;
    while (at < end
        && (Character.isWhitespace(text.charAt(at))
            || "*_…-–—!,.，！。、".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return startsName(text, at, start) ? at - 1 : at;
  }

  /// The underscore of `_name`, the dot of `.gitignore` and the dashes of `--flag` belong to them.
  private static boolean startsName(String text, int at, int start) {
    if (at == start || at >= text.length()) {
      return false;
    }
    char mark = text.charAt(at - 1);
    boolean emphasis = mark == '_' && text.indexOf('_', at) > 0;
    return !emphasis
        && (mark == '_' || mark == '.' || mark == '-')
        && Character.isLetter(text.charAt(at))
        && (at - 1 == start || mark == '-');
  }
}
