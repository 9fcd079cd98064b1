package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.text.TextLimit;
import dev.agentmemory.types.MemoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The arguments of a tool call. What is wrong is refused with `INVALID_FIELD`, naming the argument
/// and what would be right. Numbers and booleans that were sent as text are taken: models do that.
final class ToolArguments {

  private static final String CONTENT = "content";

  /// Any JSON; what is made of it has limits of its own.
  private static final Set<String> STRUCTURED = Set.of("structured", "value");

  private final Map<String, Object> values;

  /// @param known the arguments that the tool has
  /// @throws MemoryException when there is another one, or one is too long
  ToolArguments(Map<String, Object> values, Set<String> known) {
    this.values = values;
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw MemoryException.invalid(
            name.substring(0, Math.min(LONGEST_NAME, name.length())),
            "is no argument; use " + String.join(", ", new TreeSet<>(known)));
      }
    }
    values.forEach(ToolArguments::check);
  }

  private static void check(String name, Object value) {
    if (STRUCTURED.contains(name)) {
      return;
    }
    TextLimit limit =
        name.equals(CONTENT)
            ? TextLimit.DEFAULT.withChars(MemoryContent.MAX_BYTES)
            : TextLimit.DEFAULT;
    if (value instanceof List<?> list) {
      TextLimit.DEFAULT.checkCount(name, list.size());
      list.forEach(item -> limit.check(name, String.valueOf(item)));
    } else {
      limit.check(name, String.valueOf(value));
    }
  }

  Optional<Object> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  Optional<String> text(String name) {
    return value(name)
        .map(value -> {
          if (value instanceof String text) {
            return text;
          }
          throw MemoryException.invalid(name, "is not a text; send a string");
        });
  }

  /// A text that is not blank.
  String required(String name, String remedy) {
    return text(name)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> MemoryException.invalid(name, "is missing; " + remedy));
  }

  int integer(String name, int absent, int least, int most) {
    return value(name)
        .map(value -> number(name, value))
        .map(number -> {
          if (number != Math.rint(number) || number < least || number > most) {
            throw MemoryException.invalid(
                name, "is " + number + "; expected a whole number from " + least + " to " + most);
          }
          return number.intValue();
        })
        .orElse(absent);
  }

  Optional<Double> fraction(String name) {
    return value(name).map(value -> number(name, value));
  }

  private static double number(String name, Object value) {
    try {
      return value instanceof Number number
          ? number.doubleValue()
          : Double.parseDouble(String.valueOf(value));
    } catch (NumberFormatException e) {
      throw MemoryException.invalid(name, "is not a number; send one");
    }
  }

  boolean flag(String name) {
    return switch (value(name).map(String::valueOf).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw MemoryException.invalid(name, "is neither true nor false");
    };
  }

  /// A list of texts; one text counts as a list of one.
  Optional<List<String>> texts(String name) {
    return value(name)
        .map(value -> {
          List<String> texts = new ArrayList<>();
          for (Object item : value instanceof List<?> list ? list : List.of(value)) {
            if (!(item instanceof String text)) {
              throw MemoryException.invalid(
                  name, "is not a list of texts; send an array of strings");
            }
            texts.add(text);
          }
          return texts;
        });
  }

  <E extends Enum<E>> Optional<E> choice(String name, Class<E> type) {
    return text(name).map(text -> choice(name, type, text));
  }

  static <E extends Enum<E>> E choice(String name, Class<E> type, String text) {
    List<String> known = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String word = constant.name().toLowerCase(Locale.ROOT);
      if (word.equals(text.strip().toLowerCase(Locale.ROOT))) {
        return constant;
      }
      known.add(word);
    }
    throw MemoryException.invalid(name, "is " + text + "; use " + String.join(", ", known));
  }

  /// A time such as 2026-01-30 or 2026-01-30T14:30:00Z; without a zone it is one of UTC.
  Optional<Instant> time(String name) {
    return text(name)
        .map(text -> {
          try {
            return text.length() == 10
                ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(text).toInstant();
          } catch (DateTimeException e) {
            throw MemoryException.invalid(
                name, "is no time; use 2026-01-30 or 2026-01-30T14:30:00Z");
          }
        });
  }

  /// Whether the answer is to be JSON.
  boolean json() {
    return switch (text("format").orElse("text")) {
      case "text" -> false;
      case "json" -> true;
      default -> throw MemoryException.invalid("format", "is unknown; use text or json");
    };
  }

  /// Most tokens of the answer.
  int budget() {
    return integer("budget_tokens", BUDGET, LEAST_BUDGET, MOST_BUDGET);
  }

  /// Of an argument that does not exist, in the answer.
  private static final int LONGEST_NAME = 64;

  static final int BUDGET = 1000;
  static final int LEAST_BUDGET = 100;
  static final int MOST_BUDGET = 32_000;
}
