package dev.agentmemory.text.masked;

import dev.agentmemory.text.secret.SecretMask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Secrets that were found somewhere, to mask what is left of them in texts that were made of it. A
/// summary, an excerpt or a keyword can have a part of a secret that no rule recognises, because
/// its name is missing, its end is cut off or its capitals were made small.
///
/// Idea: all pieces of a fixed length of every secret are in a table, and a text is compared with
/// it place by place. Pieces of random characters are short, pieces of sentences long: the words of
/// a sentence occur elsewhere, too. What consists of small letters only, or is shorter than a
/// piece, is masked as a whole word.
public final class KnownSecrets {

  /// Characters of a piece of a secret without spaces.
  static final int PIECE = 8;

  /// Characters of a piece of a secret with spaces.
  static final int SENTENCE_PIECE = 24;

  /// Shorter secrets are words that occur anywhere.
  static final int LEAST = 4;

  /// The kind of each piece, by the length of the piece.
  private final Map<Integer, Map<String, String>> pieces = new HashMap<>();

  /// The kind of each secret that is compared as a whole word, by its length.
  private final Map<Integer, Map<String, String>> words = new TreeMap<>();

  /// A part of a text.
  private record Part(int start, int end, String kind) {}

  /// Adds a secret. Masks in it are no part of it.
  public void add(String kind, String secret) {
    int from = 0;
    int mask = secret.indexOf(SecretMask.MASKED);
    while (mask >= 0) {
      addPlain(kind, secret.substring(from, mask));
      int close = secret.indexOf(']', mask);
      from = close < 0 ? secret.length() : close + 1;
      mask = secret.indexOf(SecretMask.MASKED, from);
    }
    addPlain(kind, secret.substring(from));
  }

  private void addPlain(String kind, String secret) {
    String plain = folded(secret.strip());
    int length = plain.length();
    if (length < LEAST) {
      return;
    }
    int piece = plain.chars().anyMatch(Character::isWhitespace) ? SENTENCE_PIECE : PIECE;
    if (length < piece || plain.chars().allMatch(Character::isLetter)) {
      words.computeIfAbsent(length, _ -> new HashMap<>()).putIfAbsent(plain, kind);
      return;
    }
    Map<String, String> table = pieces.computeIfAbsent(piece, _ -> new HashMap<>());
    for (int at = 0; at + piece <= length; at++) {
      table.putIfAbsent(plain.substring(at, at + piece), kind);
    }
  }

  /// Masks what a text has of the secrets; returns the same text when it has nothing of them.
  public String mask(String text) {
    List<Part> parts = parts(text);
    if (parts.isEmpty()) {
      return text;
    }
    var masked = new StringBuilder(text.length());
    int copied = 0;
    for (Part part : parts) {
      masked.append(text, copied, part.start()).append(SecretMask.mask(part.kind()));
      copied = part.end();
    }
    return masked.append(text, copied, text.length()).toString();
  }

  /// What is to be masked, in order. Parts that overlap or touch are one; masks are left as they
  /// are.
  private List<Part> parts(String text) {
    String plain = folded(text);
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < plain.length()) {
      if (plain.startsWith(SecretMask.MASKED, at)) {
        int close = plain.indexOf(']', at);
        at = close < 0 ? plain.length() : close + 1;
        continue;
      }
      Part part = partAt(plain, at);
      if (part.end() > at) {
        Part last = parts.isEmpty() ? new Part(0, -1, "") : parts.getLast();
        if (part.start() <= last.end()) {
          parts.removeLast();
          part = new Part(last.start(), Math.max(last.end(), part.end()), last.kind());
        }
        parts.add(part);
      }
      at++;
    }
    return parts;
  }

  private Part partAt(String plain, int at) {
    Part longest = new Part(at, at, "");
    for (Map.Entry<Integer, Map<String, String>> table : pieces.entrySet()) {
      longest = longer(longest, find(plain, at, table, /* whole= */ false));
    }
    if (at == 0 || !Character.isLetterOrDigit(plain.charAt(at - 1))) {
      for (Map.Entry<Integer, Map<String, String>> table : words.entrySet()) {
        longest = longer(longest, find(plain, at, table, /* whole= */ true));
      }
    }
    return longest;
  }

  private static Part longer(Part one, Part other) {
    return other.end() > one.end() ? other : one;
  }

  private static Part find(
      String plain, int at, Map.Entry<Integer, Map<String, String>> table, boolean whole) {
    int end = at + table.getKey();
    boolean fits =
        end <= plain.length()
            && (!whole || end == plain.length() || !Character.isLetterOrDigit(plain.charAt(end)));
    Optional<String> kind =
        fits
            ? Optional.ofNullable(table.getValue().get(plain.substring(at, end)))
            : Optional.empty();
    return new Part(at, kind.isPresent() ? end : at, kind.orElse(""));
  }

  /// Small letters, one for each character.
  private static String folded(String text) {
    var folded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      folded.append(Character.toLowerCase(text.charAt(i)));
    }
    return folded.toString();
  }
}
