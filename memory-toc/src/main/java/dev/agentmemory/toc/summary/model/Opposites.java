package dev.agentmemory.toc.summary.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Words that deny each other without a `not`: a text that has one where its evidence has only the
/// other turns it around.
final class Opposites {

  private static final List<String> PREFIXES = List.of("un", "dis", "non", "in", "im", "ir");
  private static final int SHORTEST = 4;

  private static final Map<String, String> PAIRS =
      Stream.of(
              "enable disable",
              "enabled disabled",
              "enables disables",
              "increase decrease",
              "increased decreased",
              "increases decreases",
              "allow forbid",
              "allowed forbidden",
              "add remove",
              "added removed",
              "adds removes",
              "before after",
              "pass fail",
              "passes fails",
              "passed failed",
              "accept reject",
              "accepted rejected",
              "accepts rejects",
              "start stop",
              "started stopped",
              "faster slower",
              "more less",
              "true false",
              "always never",
              "upgrade downgrade",
              "upgraded downgraded",
              "up down",
              "open close",
              "opened closed",
              "success failure",
              "succeeded failed",
              "succeeds fails",
              "buy sell",
              "bought sold",
              "win lose",
              "won lost",
              "love hate",
              "loves hates",
              "larger smaller",
              "higher lower",
              "raise lower",
              "raised lowered",
              "on off",
              "can cannot",
              "best worst",
              "better worse",
              "first last",
              "public private",
              "safe unsafe",
              "gained lost",
              "internal external",
              "minimum maximum",
              "min max",
              "early late",
              "earlier later",
              "push pull",
              "import export",
              "encrypt decrypt")
          .map(pair -> pair.split(" ", -1))
          .flatMap(pair -> Stream.of(Map.entry(pair[0], pair[1]), Map.entry(pair[1], pair[0])))
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a));

  private Opposites() {}

  /// @param said the words of a text
  /// @param known those of its evidence
  static boolean turned(Set<String> said, Set<String> known) {
    return said.stream()
        .filter(word -> !known.contains(word))
        .anyMatch(word -> isPaired(word, known) || isPrefixed(word, known));
  }

  private static boolean isPaired(String word, Set<String> known) {
    String other = PAIRS.get(word);
    return other != null && known.contains(other);
  }

  private static boolean isPrefixed(String word, Set<String> known) {
    for (String prefix : PREFIXES) {
      // `form` and `inform`, `side` and `inside` are no opposites.
      int shortest = prefix.charAt(0) == 'i' ? SHORTEST + 1 : SHORTEST;
      boolean taken =
          word.startsWith(prefix)
              && word.length() - prefix.length() >= shortest
              && known.contains(word.substring(prefix.length()));
      boolean put = word.length() >= shortest && known.contains(prefix + word);
      if (taken || put) {
        return true;
      }
    }
    return false;
  }
}
