package dev.agentmemory.cli.ingest;

import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Counts the fields of lines that no event has.
final class UnknownFields {

  /// Most names that are kept. An input with more unknown names is not a list of events.
  private static final int MOST_KEPT = 100;

  private static final int MOST_SHOWN = 5;
  private static final int MOST_NAME = 40;

  private final Map<String, Field> fields = new LinkedHashMap<>();
  private long lines;

  /// @param name as the lines spell it
  /// @param lines how many lines have it
  /// @param firstLine the number of the first of them, from 1
  record Field(String name, long lines, long firstLine) {

    private Field again() {
      return new Field(name, lines + 1, firstLine);
    }

    private String text() {
      return Columns.cut(name, MOST_NAME)
          + (lines == 1
              ? " (line " + firstLine + ")"
              : " (" + lines + " lines, the first is line " + firstLine + ")");
    }
  }

  void add(long line, List<String> names) {
    lines += names.isEmpty() ? 0 : 1;
    for (String name : names) {
      if (fields.containsKey(name) || fields.size() < MOST_KEPT) {
        fields.merge(name, new Field(name, 1, line), (known, _) -> known.again());
      }
    }
  }

  /// In the order in which they occurred, 100 at most.
  List<Field> fields() {
    return List.copyOf(fields.values());
  }

  /// A sentence for a user; empty when there were none.
  Optional<String> sentence() {
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    String listed =
        fields.values().stream()
            .limit(MOST_SHOWN)
            .map(Field::text)
            .collect(Collectors.joining(", "));
    int more = fields.size() - MOST_SHOWN;
    return Optional.of(
        Format.count(lines, "line")
            + (lines == 1 ? " has" : " have")
            + " unknown fields, which were not stored: "
            + listed
            + (more > 0 ? " and " + more + " more" : "")
            + "; put such values into metadata, or see `memory ingest --help` for the field names");
  }
}
