package dev.agentmemory.recall.orient;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/// Lets a refiner choose among lines. The lines on who and where, and pinned memories, stay.
///
/// @param fixed lines that stay, in their order
/// @param choices lines to choose from; one that belongs to another one stands behind it
record OrientRevision(List<OrientLine> fixed, List<OrientLine> choices) {

  /// Lines that are offered besides those of the document.
  private static final int OTHERS = 40;

  static OrientRevision of(BudgetFill plain, OrientLayout layout) {
    List<OrientLine> fixed = new ArrayList<>();
    List<OrientLine> choices = new ArrayList<>();
    for (OrientLine line : plain.lines()) {
      switch (line.section()) {
        case WHERE, PINNED -> fixed.add(line);
        case STANDING, WORK, THREADS, RELEVANT -> choices.add(line);
      }
    }
    choices.addAll(layout.others(OTHERS));
    return new OrientRevision(fixed, choices);
  }

  /// The lines as a refiner gets them.
  List<String> texts() {
    return choices.stream().map(line -> line.withChars(OrientLine.FIRST_CHARS).said()).toList();
  }

  /// The lines that a refiner chose, in its order, each behind the one that it belongs to.
  ///
  /// @param indexes of the choices; those out of range and repeated ones are ignored
  /// @return empty when none of them can be used
  Optional<List<OrientLine>> chosen(List<Integer> indexes) {
    Map<String, OrientLine> byId = new HashMap<>();
    choices.forEach(line -> byId.put(line.id(), line));
    SequencedMap<String, OrientLine> chosen = new LinkedHashMap<>();
    for (int index : indexes) {
      if (index >= 0 && index < choices.size()) {
        OrientLine line = choices.get(index);
        line.parent()
            .flatMap(id -> Optional.ofNullable(byId.get(id)))
            .ifPresent(parent -> chosen.putIfAbsent(parent.id(), parent));
        chosen.putIfAbsent(line.id(), line);
      }
    }
    return chosen.isEmpty() ? Optional.empty() : Optional.of(ordered(List.copyOf(chosen.values())));
  }

  /// The same with keys that keep this order in the document.
  private static List<OrientLine> ordered(List<OrientLine> lines) {
    Map<String, String> keys = new HashMap<>();
    IntStream.range(0, lines.size())
        .forEach(i -> keys.put(lines.get(i).id(), "%04d".formatted(i)));
    return lines.stream()
        .map(line -> {
          String own = keys.getOrDefault(line.id(), "");
          return line.withKey(
              line.parent().map(id -> keys.getOrDefault(id, "") + '/' + own).orElse(own));
        })
        .toList();
  }
}
