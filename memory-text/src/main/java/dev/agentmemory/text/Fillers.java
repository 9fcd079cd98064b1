package dev.agentmemory.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Words without meaning at the beginning or end of a text: those of `filler-words.txt`. Inside a
/// text every word counts: `the endpoint returns ok` is not `the endpoint returns hello`.
final class Fillers {

  /// Prefix of the lines with words that are fillers only when punctuation separates them.
  private static final String SET_OFF = ", ";

  private static final Fillers WORDS = read();

  private final Set<String> anywhere = new HashSet<>();
  private final Set<String> setOff = new HashSet<>();

  private Fillers() {}

  /// @param words in lower case where case does not matter
  /// @param mark the word that represents the end of a clause
  /// @return a view of the words without fillers and marks at the beginning, and without fillers at
  ///   the end that follow a mark
  static List<String> without(List<String> words, String mark) {
    int start = WORDS.start(words, mark);
    return words.subList(start, WORDS.end(words, start, mark));
  }

  private int start(List<String> words, String mark) {
    int start = 0;
    for (int i = 0; i < words.size() && isFiller(words.get(i), mark); i++) {
      boolean alone = setOff.contains(words.get(i)) && i + 1 < words.size();
      start = alone && !words.get(i + 1).equals(mark) ? start : i + 1;
    }
    return start;
  }

  private int end(List<String> words, int start, String mark) {
    int end = words.size();
    for (int i = words.size() - 1; i >= start && isFiller(words.get(i), mark); i--) {
      end = words.get(i).equals(mark) ? i : end;
    }
    return end;
  }

  private boolean isFiller(String word, String mark) {
    return word.equals(mark) || anywhere.contains(word) || setOff.contains(word);
  }

  private static Fillers read() {
    try (InputStream in = Fillers.class.getResourceAsStream("filler-words.txt")) {
      if (in == null) {
        throw new AssertionError("filler-words.txt is not on the class path");
      }
      var words = new Fillers();
      new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(words::add);
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String line) {
    boolean only = line.startsWith(SET_OFF);
    String listed = only ? line.substring(SET_OFF.length()) : line;
    (only ? setOff : anywhere).addAll(List.of(listed.strip().split(" +", -1)));
  }
}
