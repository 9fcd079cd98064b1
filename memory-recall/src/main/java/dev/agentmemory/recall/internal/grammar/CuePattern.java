package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.recall.internal.grammar.CueElement.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A wording: a sequence of words and classes of words.
///
/// ```
/// word      this word          <x>       a word of the class x
/// a|b       one of several     <x:bsgp>  a verb of the class x in one of these forms: base,
/// _         any word                     third person, -ing, past
/// !a|b      any word but these
/// ~         up to three words  ^         here a clause begins, after its openers
/// e?        e or nothing       $         here a clause ends
/// ```
///
/// A match takes at most as many steps as the pattern allows orders of its gaps and optional
/// elements, which does not depend on the length of the text.
///
/// @param skipped the number of elements at the beginning that match any word
record CuePattern(List<CueElement> elements, boolean atStart, int skipped) {

  private static final int GAP = 3;
  private static final int MOST_OPEN = 5;

  /// The patterns that a line means. None of them begins with an optional element.
  ///
  /// @throws AssertionError when the line is not understood
  static List<CuePattern> of(String line) {
    try {
      List<CueElement> elements = Stream.of(line.split(" ", -1)).map(CueElement::of).toList();
      boolean atStart = elements.getFirst().kind() == Kind.START;
      var patterns = new ArrayList<CuePattern>();
      expand(atStart ? elements.subList(1, elements.size()) : elements, atStart, patterns);
      check(elements, patterns);
      return patterns;
    } catch (IllegalArgumentException e) {
      throw new AssertionError("the cue \"" + line + "\": " + e.getMessage(), e);
    }
  }

  private static void expand(
      List<CueElement> elements, boolean atStart, List<CuePattern> patterns) {
    if (elements.isEmpty()) {
      throw new IllegalArgumentException("every element is optional");
    }
    CueElement first = elements.getFirst();
    if (first.optional()) {
      expand(elements.subList(1, elements.size()), atStart, patterns);
    }
    var all = new ArrayList<>(elements);
    all.set(0, first.required());
    int skipped = 0;
    while (skipped < all.size() && isOpen(all.get(skipped))) {
      skipped++;
    }
    if (skipped == all.size() || all.get(skipped).kind() != Kind.WORD) {
      throw new IllegalArgumentException("no word to look up at its beginning");
    }
    patterns.add(new CuePattern(List.copyOf(all), atStart, skipped));
  }

  private static boolean isOpen(CueElement element) {
    return element.kind() == Kind.ANY || element.kind() == Kind.OTHER;
  }

  private static void check(List<CueElement> elements, List<CuePattern> patterns) {
    long open = elements.stream().filter(e -> e.optional() || e.kind() == Kind.GAP).count();
    boolean late = elements.stream().skip(1).anyMatch(e -> e.kind() == Kind.START);
    boolean optional =
        patterns.stream().anyMatch(one -> one.elements().get(one.skipped()).optional());
    if (open > MOST_OPEN || late || optional) {
      throw new IllegalArgumentException(
          open > MOST_OPEN ? "more than five open elements" : "an element is at a wrong place");
    }
  }

  /// The element by which it is looked up.
  CueElement anchor() {
    return elements.get(skipped);
  }

  /// Whether it matches.
  ///
  /// @param at where its anchor stands
  /// @param starts whether a clause begins at a token
  boolean matches(List<WordToken> tokens, boolean[] starts, int at) {
    int from = at - skipped;
    return from >= 0 && (!atStart || starts[from]) && matches(tokens, from, 0);
  }

  private boolean matches(List<WordToken> tokens, int at, int index) {
    if (index == elements.size()) {
      return true;
    }
    CueElement element = elements.get(index);
    boolean over = at >= tokens.size();
    if (element.kind() == Kind.END) {
      return over || tokens.get(at).is(WordClass.MARK);
    }
    if (element.kind() == Kind.GAP) {
      for (int skip = 0; skip <= GAP; skip++) {
        if (matches(tokens, at + skip, index + 1)) {
          return true;
        }
        if (at + skip >= tokens.size() || tokens.get(at + skip).is(WordClass.MARK)) {
          return false;
        }
      }
      return false;
    }
    boolean here = !over && element.matches(tokens.get(at));
    return (here && matches(tokens, at + 1, index + 1))
        || (element.optional() && matches(tokens, at, index + 1));
  }
}
