package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.bench.recall.ExtractionItem.Expected;
import dev.agentmemory.recall.extract.ExtractedStatement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Compares extracted statements with the expected ones. A statement is found when an extracted one
/// of its kind has most of its words and is not mostly about something else. Each extracted
/// statement that finds none is wrong.
final class ExtractionScore {

  /// The share of the expected words that an extracted statement must have.
  private static final double MOST = 0.6;

  /// The share of the extracted words that must be expected.
  private static final double SHARE = 0.4;

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");

  private ExtractionScore() {}

  /// The tally of one item, by kind.
  static Map<MemoryKind, StatementTally> of(
      ExtractionItem item, List<ExtractedStatement> extracted) {
    var tallies = new EnumMap<MemoryKind, StatementTally>(MemoryKind.class);
    List<Expected> missed = new ArrayList<>(item.expected());
    for (ExtractedStatement got : extracted) {
      List<Expected> hits = missed.stream().filter(one -> isFound(one, got)).toList();
      missed.removeAll(hits);
      add(
          tallies,
          got.kind(),
          hits.isEmpty() ? new StatementTally(0, 1, 0) : new StatementTally(hits.size(), 0, 0));
    }
    missed.forEach(one -> add(tallies, one.kind(), new StatementTally(0, 0, 1)));
    return tallies;
  }

  private static void add(
      Map<MemoryKind, StatementTally> tallies, MemoryKind kind, StatementTally tally) {
    tallies.merge(kind, tally, StatementTally::plus);
  }

  private static boolean isFound(Expected expected, ExtractedStatement got) {
    List<String> wanted = words(expected.statement());
    List<String> words = words(got.text());
    long shared = shared(words, wanted);
    return got.kind() == expected.kind()
        && shared >= MOST * wanted.size()
        && shared >= SHARE * words.size();
  }

  private static List<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT)).results().map(MatchResult::group).toList();
  }

  private static long shared(List<String> some, List<String> others) {
    Map<String, Integer> left = new HashMap<>();
    others.forEach(word -> left.merge(word, 1, Integer::sum));
    return some.stream().filter(word -> left.merge(word, -1, Integer::sum) >= 0).count();
  }
}
