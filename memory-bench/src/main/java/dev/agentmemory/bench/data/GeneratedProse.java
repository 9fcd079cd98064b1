package dev.agentmemory.bench.data;

import java.util.List;
import java.util.random.RandomGenerator;

/// Generated sentences about software development, so that summarisers have words to rank.
public final class GeneratedProse {

  private static final List<String> WHO =
      List.of(
          "the payment client",
          "the booking service",
          "the nightly import",
          "our search index",
          "the login page",
          "the retry loop",
          "the schema migration",
          "the cache in front of the catalogue",
          "the mail gateway",
          "the release pipeline");
  private static final List<String> DOES =
      List.of(
          "fails with",
          "now waits for",
          "must never write",
          "reads twice",
          "was rewritten around",
          "still depends on",
          "lost",
          "logs",
          "should validate",
          "falls back to");
  private static final List<String> WHAT =
      List.of(
          "a stale token",
          "the second connection",
          "orders without a currency",
          "an expired certificate",
          "forty pending messages",
          "the old time zone table",
          "half of the partial refunds",
          "an unbounded queue",
          "the customer's address",
          "rows that were locked");
  private static final List<String> WHEN =
      List.of(
          "after the deploy on Monday",
          "when two nodes start at once",
          "because the timeout is 30 seconds",
          "as soon as the disk is slow",
          "unless the flag is set",
          "since version 4.2",
          "for every tenth request",
          "during the hour before midnight");

  private GeneratedProse() {}

  public static String sentence(RandomGenerator random) {
    String who = pick(WHO, random);
    return Character.toUpperCase(who.charAt(0))
        + who.substring(1)
        + " "
        + pick(DOES, random)
        + " "
        + pick(WHAT, random)
        + " "
        + pick(WHEN, random)
        + ".";
  }

  /// Sentences with exactly this number of ASCII characters in total; the last one may be
  /// truncated.
  public static String text(int length, RandomGenerator random) {
    var text = new StringBuilder(length + 128);
    while (text.length() < length) {
      text.append(text.isEmpty() ? "" : " ").append(sentence(random));
    }
    return text.substring(0, length - 1) + ".";
  }

  private static String pick(List<String> words, RandomGenerator random) {
    return words.get(random.nextInt(words.size()));
  }
}
