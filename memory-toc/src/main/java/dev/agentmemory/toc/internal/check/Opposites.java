package dev.agentmemory.toc.internal.check;

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

  private static final Map<String, Set<String>> PAIRS =
      Stream.of(
              "enable disable",
              "enabled disabled",
              "enables disables",
              "increase decrease",
              "increased decreased",
              "increases decreases",
              "add remove",
              "added removed",
              "adds removes",
              "before after",
              "pass fail",
              "passes fails",
              "passed failed",
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
              "encrypt decrypt",
              "keep drop",
              "kept dropped",
              "keep delete",
              "kept deleted",
              "create delete",
              "created deleted",
              "add delete",
              "added deleted",
              "include exclude",
              "included excluded",
              "includes excludes",
              "support oppose",
              "supported opposed",
              "online offline",
              "hire fire",
              "hired fired",
              "join leave",
              "joined left",
              "begin end",
              "began ended",
              "rise fall",
              "rose fell",
              "grow shrink",
              "grew shrank",
              "merge revert",
              "merged reverted",
              "send receive",
              "sent received",
              "promoted demoted",
              "show hide",
              "shown hidden",
              "positive negative",
              "married divorced",
              "alive dead",
              "full empty")
          .map(pair -> pair.split(" ", -1))
          .flatMap(pair -> Stream.of(Map.entry(pair[0], pair[1]), Map.entry(pair[1], pair[0])))
          .collect(
              Collectors.groupingBy(
                  Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));

  /// Every one of the first line against every one of the second, in all their forms.
  private static final List<Set<String>> YES_AND_NO =
      List.of(
          forms(
              "approve approves approved approving approval",
              "accept accepts accepted accepting acceptance",
              "grant grants granted granting",
              "allow allows allowed allowing",
              "permit permits permitted permitting permission",
              "authorize authorizes authorized authorise authorised",
              "confirm confirms confirmed confirming"),
          forms(
              "reject rejects rejected rejecting rejection",
              "deny denies denied denying denial",
              "refuse refuses refused refusing refusal",
              "decline declines declined declining",
              "forbid forbids forbade forbidden",
              "prohibit prohibits prohibited",
              "ban bans banned",
              "veto vetoes vetoed",
              "revoke revokes revoked",
              "block blocks blocked blocking"));

  private static Set<String> forms(String... lines) {
    return Stream.of(lines)
        .flatMap(line -> Stream.of(line.split(" ", -1)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private Opposites() {}

  /// @param said the words of a text
  /// @param known those of its evidence
  static boolean turned(Set<String> said, Set<String> known) {
    return said.stream()
        .filter(word -> !known.contains(word))
        .anyMatch(word -> isPaired(word, known) || isPrefixed(word, known));
  }

  private static boolean isPaired(String word, Set<String> known) {
    boolean paired = PAIRS.getOrDefault(word, Set.of()).stream().anyMatch(known::contains);
    return paired || isAnswered(word, known, 0, 1) || isAnswered(word, known, 1, 0);
  }

  private static boolean isAnswered(String word, Set<String> known, int one, int other) {
    return YES_AND_NO.get(one).contains(word)
        && YES_AND_NO.get(one).stream().noneMatch(known::contains)
        && YES_AND_NO.get(other).stream().anyMatch(known::contains);
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
