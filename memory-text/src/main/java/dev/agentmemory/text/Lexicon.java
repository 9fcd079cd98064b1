package dev.agentmemory.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Word lists in sections, read from a text resource. `[section]` opens a section, `#` starts a
/// comment line. A line holds a phrase, words with one space between them, a pair of words, or a
/// key, a tab and words; the method that is called decides which.
///
/// Entries are in lower case and do not repeat. What breaks a rule is an [AssertionError] that
/// names the resource and the line: a list that a class holds in a constant is checked when that
/// class is loaded.
public final class Lexicon {

  private final String resource;
  private final Map<String, List<Line>> sections = new HashMap<>();

  private record Line(int number, String text) {}

  /// @param resource as messages name it
  Lexicon(String resource, String content) {
    this.resource = resource;
    List<String> lines = content.lines().toList();
    List<Line> section = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i);
      Line line = new Line(i + 1, text);
      if (text.startsWith("[")) {
        check(text.endsWith("]"), line, "a section has no closing bracket");
        section = new ArrayList<>();
        String name = text.substring(1, text.length() - 1);
        check(sections.put(name, section) == null, line, "the section is there already");
      } else if (!text.isEmpty() && !text.startsWith("#")) {
        check(text.equals(text.strip()), line, "white space around an entry");
        check(text.equals(text.toLowerCase(Locale.ROOT)), line, "an entry is not in lower case");
        check(!sections.isEmpty(), line, "an entry precedes the first section");
        section.add(line);
      }
    }
  }

  /// Reads a resource that stands beside a class.
  public static Lexicon beside(Class<?> owner, String resource) {
    return new Lexicon(resource, TextResource.beside(owner, resource));
  }

  /// The lines of a section, in order.
  public List<String> phrases(String section) {
    SequencedMap<String, String> phrases = new LinkedHashMap<>();
    lines(section).forEach(line -> add(phrases, line, line.text(), section));
    return List.copyOf(phrases.keySet());
  }

  /// The two words of each line of a section, in order.
  public List<Map.Entry<String, String>> pairs(String section) {
    SequencedMap<String, Map.Entry<String, String>> pairs = new LinkedHashMap<>();
    for (Line line : lines(section)) {
      String[] words = line.text().split(" ", -1);
      boolean pair = words.length == 2 && !words[0].isEmpty() && !words[1].isEmpty();
      check(pair, line, "expected two words with one space between them");
      Map.Entry<String, String> former = pairs.put(line.text(), Map.entry(words[0], words[1]));
      check(former == null, line, "\"" + line.text() + "\" repeats");
    }
    return List.copyOf(pairs.values());
  }

  /// The words of a section, in order.
  public SequencedSet<String> words(String section) {
    return sections(section).sequencedKeySet();
  }

  /// The section of each word of some sections. No word stands in two of them. The result is no
  /// `Map.copyOf`, because a lookup in that takes twice as long.
  public SequencedMap<String, String> sections(String... names) {
    SequencedMap<String, String> words = new LinkedHashMap<>();
    for (String name : names) {
      lines(name).forEach(line -> addWords(words, line, line.text(), name));
    }
    return Collections.unmodifiableSequencedMap(words);
  }

  /// The key of each word of a section.
  public Map<String, String> keys(String section) {
    SequencedMap<String, String> words = new LinkedHashMap<>();
    for (Line line : lines(section)) {
      int tab = line.text().indexOf('\t');
      check(tab > 0, line, "expected a key and a tab");
      addWords(words, line, line.text().substring(tab + 1), line.text().substring(0, tab));
    }
    return Collections.unmodifiableMap(words);
  }

  /// A regular expression that matches each phrase of some sections, and nothing else.
  public String alternation(String... names) {
    return Stream.of(names)
        .flatMap(name -> phrases(name).stream())
        .map(Pattern::quote)
        .collect(Collectors.joining("|", "(?:", ")"));
  }

  private List<Line> lines(String section) {
    List<Line> lines = sections.getOrDefault(section, List.of());
    if (lines.isEmpty()) {
      throw new AssertionError(resource + " has no entries in a section [" + section + "]");
    }
    return lines;
  }

  private void addWords(Map<String, String> words, Line line, String listed, String value) {
    for (String word : listed.split(" ", -1)) {
      add(words, line, word, value);
    }
  }

  private void add(Map<String, String> entries, Line line, String entry, String value) {
    check(!entry.isEmpty(), line, "an entry is empty");
    check(entries.put(entry, value) == null, line, "\"" + entry + "\" repeats");
  }

  private void check(boolean holds, Line line, String problem) {
    if (!holds) {
      throw new AssertionError(
          resource + ", line " + line.number() + ": " + problem + ": " + line.text());
    }
  }
}
