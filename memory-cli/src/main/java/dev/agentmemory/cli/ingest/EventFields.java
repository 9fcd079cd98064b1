package dev.agentmemory.cli.ingest;

import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The fields of a line under the field names of an event. Other spellings are accepted:
/// `sessionId` and `SessionID` are `session_id`.
///
/// @param values by the event's field name, without nulls
/// @param unknown names that are no field of an event, as the line spells them
record EventFields(Map<String, LineValue> values, List<String> unknown) {

  /// In the order of the help text.
  static final List<String> NAMES =
      List.of(
          "session_id",
          "timestamp_ms",
          "timestamp",
          "event_type",
          "role",
          "text",
          "metadata",
          "agent",
          "event_id",
          "position",
          "tool_name");

  private static final Map<String, String> BY_LETTERS =
      NAMES.stream().collect(Collectors.toMap(EventFields::letters, Function.identity()));

  EventFields {
    values = Map.copyOf(values);
    unknown = List.copyOf(unknown);
  }

  /// @throws MemoryException `INVALID_FIELD` when a field occurs in two spellings
  static EventFields of(LineValue.Fields line) {
    Map<String, LineValue> values = new HashMap<>();
    List<String> unknown = new ArrayList<>();
    line.values()
        .forEach((spelled, value) -> {
          String name = BY_LETTERS.get(letters(spelled));
          if (name == null) {
            unknown.add(spelled);
          } else if (!(value instanceof LineValue.Nothing) && values.put(name, value) != null) {
            throw MemoryException.invalid(
                name, "occurs twice, once as " + spelled + "; send it only once");
          }
        });
    return new EventFields(values, unknown);
  }

  /// A name without case, `_` and `-`.
  static String letters(String name) {
    return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
  }

  Optional<LineValue> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /// @throws MemoryException `INVALID_FIELD` when it is not a text
  Optional<String> text(String name) {
    return value(name)
        .map(value -> {
          if (value instanceof LineValue.Text(String text)) {
            return text;
          }
          throw MemoryException.invalid(name, "is " + value.kind() + "; expected text");
        });
  }
}
