package dev.agentmemory.recall.internal.grammar;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One element of a [CuePattern].
///
/// @param words the words and marks that it matches
/// @param classes the sets of classes that it matches: a word has to have all of one set
/// @param optional whether it may be absent
record CueElement(Kind kind, Set<String> words, List<Needed> classes, boolean optional) {

  enum Kind {
    /// A word of a list or a class.
    WORD,
    /// Any word.
    ANY,
    /// Any word but some.
    OTHER,
    /// Up to three words.
    GAP,
    /// The beginning of a clause, which is no word.
    START,
    /// The end of a clause, which is no word.
    END
  }

  /// Bits of [WordClass].
  ///
  /// @param all each of them is needed
  /// @param some one of them is needed, unless there is none
  record Needed(long all, long some) {

    boolean fits(long classes) {
      return (classes & all) == all && (some == 0 || (classes & some) != 0);
    }
  }

  /// @throws IllegalArgumentException when the element is not understood
  static CueElement of(String written) {
    boolean optional = written.length() > 1 && written.endsWith("?");
    String element = optional ? written.substring(0, written.length() - 1) : written;
    return switch (element) {
      case "^" -> plain(Kind.START);
      case "$" -> plain(Kind.END);
      case "~" -> plain(Kind.GAP);
      case "_", "<any>" -> new CueElement(Kind.ANY, Set.of(), List.of(), optional);
      default ->
          element.startsWith("!")
              ? new CueElement(
                  Kind.OTHER, Set.of(element.substring(1).split("\\|", -1)), List.of(), optional)
              : words(element, optional);
    };
  }

  private static CueElement plain(Kind kind) {
    return new CueElement(kind, Set.of(), List.of(), false);
  }

  private static CueElement words(String element, boolean optional) {
    var words = new HashSet<String>();
    var classes = new ArrayList<Needed>();
    for (String part : element.split("\\|", -1)) {
      if (part.startsWith("<") && part.endsWith(">")) {
        classes.add(needed(part.substring(1, part.length() - 1)));
      } else if (part.isEmpty()) {
        throw new IllegalArgumentException("an alternative is empty");
      } else {
        words.add(part);
      }
    }
    return new CueElement(Kind.WORD, words, List.copyOf(classes), optional);
  }

  private static Needed needed(String reference) {
    int colon = reference.indexOf(':');
    String name = colon < 0 ? reference : reference.substring(0, colon);
    WordClass named =
        WordClass.named(name)
            .orElseThrow(() -> new IllegalArgumentException("no class of words: " + name));
    long forms = 0;
    for (int i = colon + 1; colon >= 0 && i < reference.length(); i++) {
      forms |= form(reference.charAt(i)).bit();
    }
    return new Needed(named.bit(), forms);
  }

  private static WordClass form(char letter) {
    return switch (letter) {
      case 'b' -> WordClass.BASE;
      case 's' -> WordClass.THIRD;
      case 'g' -> WordClass.GERUND;
      case 'p' -> WordClass.PAST;
      default -> throw new IllegalArgumentException("no form of a verb: " + letter);
    };
  }

  CueElement required() {
    return new CueElement(kind, words, classes, false);
  }

  boolean matches(WordToken token) {
    if (kind == Kind.ANY) {
      return !token.is(WordClass.MARK);
    }
    if (kind == Kind.OTHER) {
      return !token.is(WordClass.MARK) && !words.contains(token.key());
    }
    if (words.contains(token.key())) {
      return true;
    }
    for (Needed needed : classes) {
      if (needed.fits(token.classes())) {
        return true;
      }
    }
    return false;
  }
}
