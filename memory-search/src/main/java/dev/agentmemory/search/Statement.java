package dev.agentmemory.search;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a text states. Two texts are the same statement only when the values of this record are
/// equal, however near their embeddings are: a model gives `PostgreSQL 16` and `PostgreSQL 17`
/// nearly the same vector, and every text that it cannot read the same one.
///
/// Equal are texts that differ in case, spaces, sentence punctuation, quotes, the width of
/// characters, or in words of `filler-words.txt`. Every other difference makes two statements, in
/// any language and script: a number, date, version, unit, sign, name, negation, word, the order of
/// the words, and whether the text asks. So nothing depends on lists of names or negations. Two
/// wordings of one statement are two statements: showing one fact twice does less harm than hiding
/// a newer one.
///
/// @param high half of a hash of the words that count
/// @param low the other half
public record Statement(long high, long low) {

  private static final Set<String> FILLERS = fillers();

  /// Ends sentences, groups or quotes; at the edge of a word it says nothing.
  private static final String EDGE =
      ".,;:!\"'`()[]{}\u2026\u00bf\u00a1\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e\u3001\u3002"
          + "\u300c\u300d\u300e\u300f\u3010\u3011\u300a\u300b\uff61\u060c\u061b\u06d4\u0964";

  private static final String ASKS = "?\u061f";

  /// Between the words that are hashed; no word holds it.
  private static final byte END = 0;

  /// @return empty for a text without words, which states nothing
  public static Optional<Statement> of(String text) {
    MessageDigest hash = sha256();
    boolean any = false;
    boolean afterNumber = false;
    String folded = Normalizer.normalize(narrow(text), Normalizer.Form.NFC);
    for (String chunk : folded.split("[\\s\\p{Z}]+", -1)) {
      boolean asks = asks(chunk);
      String word = stripped(chunk);
      if (!word.isEmpty()) {
        // The case of a unit and of a name in code matters: 5 mW, 5 MW; getID, getId.
        boolean exact = afterNumber || Identifiers.isIdentifier(word);
        String counted = exact ? word : word.toLowerCase(Locale.ROOT);
        if (!FILLERS.contains(counted)) {
          add(hash, counted);
          any = true;
        }
        afterNumber = Character.isDigit(word.codePointBefore(word.length()));
      }
      if (asks) {
        add(hash, "?");
      }
    }
    ByteBuffer result = ByteBuffer.wrap(hash.digest());
    return any ? Optional.of(new Statement(result.getLong(), result.getLong())) : Optional.empty();
  }

  private static void add(MessageDigest hash, String word) {
    hash.update(word.getBytes(StandardCharsets.UTF_16BE));
    hash.update(END);
    hash.update(END);
  }

  private static boolean asks(String chunk) {
    for (int i = chunk.length() - 1; i >= 0 && isEdge(chunk.charAt(i)); i--) {
      if (ASKS.indexOf(chunk.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  /// A sign before a number (`-5`, `.5`) and symbols (`C++`, `5%`) stay.
  private static String stripped(String chunk) {
    int start = 0;
    int end = chunk.length();
    while (end > start && isEdge(chunk.charAt(end - 1))) {
      end--;
    }
    while (start < end && isEdge(chunk.charAt(start)) && !startsFraction(chunk, start, end)) {
      start++;
    }
    return chunk.substring(start, end).replace('\u2019', '\'');
  }

  private static boolean startsFraction(String chunk, int at, int end) {
    return (chunk.charAt(at) == '.' || chunk.charAt(at) == ',')
        && at + 1 < end
        && Character.isDigit(chunk.charAt(at + 1));
  }

  private static boolean isEdge(char c) {
    return EDGE.indexOf(c) >= 0 || ASKS.indexOf(c) >= 0;
  }

  /// Latin letters, digits and punctuation of full width as those of normal width. No other
  /// compatibility form is folded: 10² is not 102.
  private static String narrow(String text) {
    StringBuilder narrow = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      narrow.append(c >= '\uff01' && c <= '\uff5e' ? (char) (c - 0xfee0) : c);
    }
    return narrow.toString();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static Set<String> fillers() {
    try (InputStream in = Statement.class.getResourceAsStream("filler-words.txt")) {
      if (in == null) {
        throw new AssertionError("filler-words.txt is not on the class path");
      }
      Set<String> words = new TreeSet<>();
      new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> words.addAll(Set.of(line.strip().split(" +", -1))));
      return Set.copyOf(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
