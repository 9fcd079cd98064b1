package dev.agentmemory.recall.injection;

import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/// Finds runs of [#LENGTH] words that texts have in common. Words are compared by the keys of
/// [Terms], so case and plural endings make no difference. A run does not cross a line, nor a
/// citation.
final class SharedRuns {

  /// Words of a run.
  static final int LENGTH = 8;

  private static final String BETWEEN = " ";

  private final Map<String, List<Integer>> texts = new HashMap<>();

  /// Adds a text.
  ///
  /// @param number by which it is found
  void add(int number, String text) {
    forEachRun(
        text,
        (run, _) -> {
          List<Integer> having = texts.computeIfAbsent(run, _ -> new ArrayList<>(1));
          if (having.isEmpty() || having.getLast() != number) {
            having.add(number);
          }
        });
  }

  /// Looks for the runs of another text.
  ///
  /// @param found is given the number of each text that has one of them, and the words as the other
  ///   text writes them; several times for several runs
  void find(String other, BiConsumer<Integer, String> found) {
    if (texts.isEmpty()) {
      return;
    }
    forEachRun(
        other,
        (run, words) ->
            texts
                .getOrDefault(run, List.of())
                .forEach(number -> found.accept(number, words.get())));
  }

  /// The words of a run as they are written.
  private interface Words {
    String get();
  }

  private static void forEachRun(String text, BiConsumer<String, Words> found) {
    String plain = CitedIds.CITATION.matcher(text).replaceAll("\n");
    for (String line : plain.split("\\R", -1)) {
      List<Term> words = Terms.of(line).stream().filter(term -> !term.part()).toList();
      for (int from = 0; from + LENGTH <= words.size(); from++) {
        List<Term> run = words.subList(from, from + LENGTH);
        String keys = run.stream().map(Term::key).collect(Collectors.joining(BETWEEN));
        found.accept(keys, () -> line.substring(run.getFirst().start(), run.getLast().end()));
      }
    }
  }
}
