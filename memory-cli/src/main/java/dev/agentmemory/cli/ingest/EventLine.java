package dev.agentmemory.cli.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// One line of `memory ingest`: a JSON object with the fields of an event. Sizes and clock skew are
/// checked by the daemon.
///
/// @param unknown names of fields that no event has; their values are not stored
public record EventLine(Event event, List<String> unknown) {

  /// Most UTF-16 units of text and metadata: at most 6 MiB as UTF-8. A message holds 8 MiB.
  private static final int MOST_CHARS = 2 << 20;

  private static final int MOST_REASON = 200;

  public EventLine {
    unknown = List.copyOf(unknown);
  }

  /// @throws MemoryException `INVALID_FIELD` saying what is wrong with the line
  public static EventLine parse(String line) {
    EventFields fields = EventFields.of(object(line));
    SessionId session =
        SessionId.parse(
            "session_id",
            fields
                .text("session_id")
                .orElseThrow(() ->
                    MemoryException.invalid(
                        "session_id", "is missing; send the conversation's id")));
    Instant timestamp = EventTime.of(fields);
    Optional<EventRole> saidRole = constant(fields, "role", EventRole.class);
    EventType type =
        constant(fields, "event_type", EventType.class)
            .orElseGet(() -> saidRole.map(EventLine::messageOf).orElse(EventType.USER_MESSAGE));
    EventRole role = saidRole.orElseGet(() -> speakerOf(type));
    String text = unicode("text", fields.text("text").orElse(""));
    if (type.needsText() && text.isEmpty()) {
      throw MemoryException.invalid("text", "is empty; a user or assistant message needs text");
    }
    Map<String, String> metadata = metadata(fields);
    Optional<String> agent = fields.text("agent").filter(name -> !name.isEmpty());
    agent.ifPresent(name -> unicode("agent", name));
    EventId id =
        fields
            .text("event_id")
            .map(given -> EventId.parse("event_id", given))
            .orElseGet(
                () -> EventIds.derive(session, timestamp, type, role, text, metadata, agent));
    return new EventLine(
        sized(
            new Event(id, session, timestamp, type, role, text, metadata, agent, position(fields))),
        fields.unknown());
  }

  /// 0 when the line has none.
  private static long position(EventFields fields) {
    Optional<LineValue> value = fields.value("position");
    if (value.isEmpty()) {
      return 0;
    }
    if (value.get() instanceof LineValue.Numeral(String literal)
        && literal.matches("[0-9]{1,10}")) {
      long position = Long.parseLong(literal);
      if (position > 0) {
        return position;
      }
    }
    String found =
        value.get() instanceof LineValue.Numeral(String number) ? number : value.get().kind();
    throw MemoryException.invalid(
        "position",
        "is %s; expected a number from 1 to %d, or none".formatted(found, EventKey.LAST_POSITION));
  }

  /// Refuses an event that does not fit into a message. The message would fail and end the run,
  /// with all following lines.
  private static Event sized(Event event) {
    if (event.chars() > MOST_CHARS) {
      boolean text = event.text().length() > MOST_CHARS / 2;
      throw MemoryException.invalid(
          text ? "text" : "metadata",
          text
              ? "has " + event.text().length() + " characters; an event holds 1 MiB of text at most"
              : "is too large; an event holds 64 pairs at most, each value 8 KiB at most");
    }
    return event;
  }

  private static LineValue.Fields object(String line) {
    try {
      if (LineValue.read(line) instanceof LineValue.Fields fields) {
        return fields;
      }
    } catch (JsonProcessingException e) {
      throw new MemoryException(
          ErrorCode.INVALID_FIELD,
          "is not JSON: " + reason(e) + "; expected one object such as {\"session_id\": ...}",
          e);
    }
    throw new MemoryException(
        ErrorCode.INVALID_FIELD, "is not a JSON object; expected {\"session_id\": ...}");
  }

  /// The parser's message, without its list of expected tokens.
  private static String reason(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    int list = message.indexOf(": was expecting");
    return Columns.cut(list < 0 ? message : message.substring(0, list), MOST_REASON);
  }

  /// A constant in any of its usual spellings: `user_message`, `UserMessage`,
  /// `EVENT_TYPE_USER_MESSAGE`.
  private static <E extends Enum<E>> Optional<E> constant(
      EventFields fields, String field, Class<E> type) {
    String wirePrefix = EventFields.letters(type.getSimpleName());
    return fields
        .text(field)
        .map(text -> {
          String letters = EventFields.letters(text);
          return Arrays.stream(type.getEnumConstants())
              .filter(each -> {
                String own = EventFields.letters(each.name());
                return letters.equals(own) || letters.equals(wirePrefix + own);
              })
              .findAny()
              .orElseThrow(() -> MemoryException.invalid(field, choices(text, type)));
        });
  }

  private static <E extends Enum<E>> String choices(String text, Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(
            Collectors.joining(
                ", ", "is " + Columns.cut(text, MOST_REASON) + "; expected one of ", ""));
  }

  /// The type of an event for a line with a role and without a type.
  private static EventType messageOf(EventRole role) {
    return switch (role) {
      case USER, SYSTEM -> EventType.USER_MESSAGE;
      case ASSISTANT -> EventType.ASSISTANT_MESSAGE;
      case TOOL -> EventType.TOOL_RESULT;
    };
  }

  private static EventRole speakerOf(EventType type) {
    return switch (type) {
      case USER_MESSAGE -> EventRole.USER;
      case ASSISTANT_MESSAGE, ASSISTANT_STOP -> EventRole.ASSISTANT;
      case TOOL_RESULT -> EventRole.TOOL;
      case SESSION_START, SUBAGENT_START, SUBAGENT_STOP, SESSION_END -> EventRole.SYSTEM;
    };
  }

  private static Map<String, String> metadata(EventFields fields) {
    Map<String, String> metadata = new LinkedHashMap<>();
    fields
        .value("metadata")
        .ifPresent(given -> {
          if (!(given instanceof LineValue.Fields(Map<String, LineValue> pairs))) {
            throw MemoryException.invalid(
                "metadata",
                "is " + given.kind() + "; expected an object such as {\"tool\": \"Bash\"}");
          }
          pairs.forEach((key, value) -> {
            String field = "metadata." + Columns.cut(key, MOST_REASON);
            textOf(field, value)
                .ifPresent(text -> metadata.put(unicode(field, key), unicode(field, text)));
          });
        });
    fields
        .text("tool_name")
        .filter(name -> !name.isEmpty())
        .ifPresent(name -> metadata.putIfAbsent("tool", unicode("tool_name", name)));
    return metadata;
  }

  private static Optional<String> textOf(String field, LineValue value) {
    return switch (value) {
      case LineValue.Text(String text) -> Optional.of(text);
      case LineValue.Numeral(String literal) -> Optional.of(number(literal));
      case LineValue.Flag(boolean flag) -> Optional.of(Boolean.toString(flag));
      case LineValue.Nothing _ -> Optional.empty();
      case LineValue.Items _, LineValue.Fields _ ->
          throw MemoryException.invalid(
              field, "is " + value.kind() + "; send text, a number or a boolean");
    };
  }

  /// Fractions in Java's form. Ids are derived from it, so it must not change.
  private static String number(String literal) {
    return literal.chars().allMatch(c -> c == '-' || Character.isDigit(c))
        ? literal
        : Double.toString(Double.parseDouble(literal));
  }

  /// JSON can contain half a surrogate pair (`"\ud83d"`), which cannot be stored.
  private static String unicode(String field, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    return text;
  }
}
