package dev.agentmemory.text.secret.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds the formats that can begin at a place of a text, by two characters.
public final class FormatIndex {

  private static final int ASCII = 128;
  private static final SecretFormat[] NONE = {};

  /// Formats that begin with a literal, by its first two characters.
  private final SecretFormat[][] byPair = new SecretFormat[ASCII * ASCII][];

  /// Formats whose literal comes later, those with the shortest lead first.
  private final SecretFormat[] led;

  /// Characters before the literal of each of them.
  private final int[] leads;

  /// The first character of the literal of each of them.
  private final char[] literals;

  private final int shortestLead;

  public FormatIndex(List<SecretFormat> formats) {
    Map<Integer, List<SecretFormat>> pairs = new HashMap<>();
    var led = new ArrayList<SecretFormat>();
    for (SecretFormat format : formats) {
      if (format.lead() > 0) {
        led.add(format);
      } else {
        String anchor = format.anchor();
        pairs
            .computeIfAbsent(anchor.charAt(0) * ASCII + anchor.charAt(1), _ -> new ArrayList<>())
            .add(format);
      }
    }
    Arrays.fill(byPair, NONE);
    pairs.forEach((pair, of) -> byPair[pair] = of.toArray(NONE));
    led.sort(Comparator.comparingInt(SecretFormat::lead));
    this.led = led.toArray(NONE);
    this.leads = led.stream().mapToInt(SecretFormat::lead).toArray();
    this.literals = new char[leads.length];
    for (int i = 0; i < literals.length; i++) {
      literals[i] = led.get(i).anchor().charAt(0);
    }
    this.shortestLead = led.isEmpty() ? Integer.MAX_VALUE : led.getFirst().lead();
  }

  /// Whether the literal of a format stands at an index, as its beginning.
  public boolean beginAt(String text, int at) {
    for (SecretFormat format : beginning(text, at)) {
      if (text.startsWith(format.anchor(), at)) {
        return true;
      }
    }
    return false;
  }

  private SecretFormat[] beginning(String text, int at) {
    char one = Letters.at(text, at);
    char two = Letters.at(text, at + 1);
    return one < ASCII && two < ASCII ? byPair[one * ASCII + two] : NONE;
  }

  /// The longest secret.
  ///
  /// @param at where it may begin
  public Secret find(String text, int at) {
    Secret longest = Secret.NONE;
    for (SecretFormat format : beginning(text, at)) {
      Secret secret = format.match(text, at);
      longest = secret.found() && secret.end() > longest.end() ? secret : longest;
    }
    return longest;
  }

  /// Like [#find], for the formats that begin with characters of an alphabet.
  ///
  /// @param end where the run of letters, digits, `_` and `-` ends
  public Secret findLed(String text, int at, int end) {
    if (end - at < shortestLead) {
      return Secret.NONE;
    }
    for (int i = 0; i < led.length; i++) {
      int literal = at + leads[i];
      if (literal > end || literal >= text.length()) {
        break;
      }
      if (text.charAt(literal) == literals[i]) {
        Secret secret = led[i].match(text, at);
        if (secret.found()) {
          return secret;
        }
      }
    }
    return Secret.NONE;
  }
}
