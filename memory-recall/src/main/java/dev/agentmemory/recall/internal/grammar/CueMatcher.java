package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.text.Lexicon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts the wordings of several sections of a list in a sentence. A pattern is looked up by its
/// first word or class, so the time does not grow with the number of patterns that share none.
public final class CueMatcher {

  private record Entry(CuePattern pattern, int section) {}

  private static final List<Entry> NONE = List.of();

  private final Map<String, List<Entry>> byWord = new HashMap<>();
  private final List<List<Entry>> byClass = new ArrayList<>();
  private final int sections;

  /// @param sections their names; the index of a section is that of its name
  public CueMatcher(Lexicon patterns, List<String> sections) {
    this.sections = sections.size();
    for (int i = 0; i < Long.SIZE; i++) {
      byClass.add(new ArrayList<>());
    }
    for (int i = 0; i < sections.size(); i++) {
      for (String line : patterns.phrases(sections.get(i))) {
        for (CuePattern pattern : CuePattern.of(line)) {
          add(new Entry(pattern, i));
        }
      }
    }
  }

  private void add(Entry entry) {
    CueElement anchor = entry.pattern().anchor();
    anchor.words().forEach(word -> byWord.computeIfAbsent(word, _ -> new ArrayList<>()).add(entry));
    for (CueElement.Needed needed : anchor.classes()) {
      byClass.get(Long.numberOfTrailingZeros(rarest(needed))).add(entry);
    }
  }

  /// A form is rarer than the class of all verbs, and a class of some verbs is rarer than a form.
  private static long rarest(CueElement.Needed needed) {
    boolean single = Long.bitCount(needed.some()) == 1;
    return needed.all() == WordClass.ANY.bit() && single ? needed.some() : needed.all();
  }

  /// The number of places of a sentence at which a wording of each section begins.
  ///
  /// @param starts whether a clause begins at a token
  public int[] count(List<WordToken> tokens, boolean[] starts) {
    int[] counts = new int[sections];
    int[] last = new int[sections];
    for (int i = 0; i < tokens.size(); i++) {
      WordToken token = tokens.get(i);
      match(byWord.getOrDefault(token.key(), NONE), tokens, starts, i, counts, last);
      for (long rest = token.classes(); rest != 0; rest &= rest - 1) {
        List<Entry> entries = byClass.get(Long.numberOfTrailingZeros(rest));
        match(entries, tokens, starts, i, counts, last);
      }
    }
    return counts;
  }

  private static void match(
      List<Entry> entries,
      List<WordToken> tokens,
      boolean[] starts,
      int at,
      int[] counts,
      int[] last) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      int section = entry.section();
      if (last[section] <= at && entry.pattern().matches(tokens, starts, at)) {
        counts[section]++;
        last[section] = at + 1;
      }
    }
  }
}
