package dev.agentmemory.daemon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads one line of `memory ingest`: a JSON object that is an event. What the daemon checks anyway
/// (sizes, clock skew) is left to it; unknown fields are left alone.
final class EventLine {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private EventLine() {}

  /// @throws MemoryException `INVALID_FIELD` saying what is wrong with the line
  static Event parse(String line) {
    JsonNode node = object(line);
    SessionId session = SessionId.parse("session_id", required(node, "session_id"));
    Instant timestamp = timestamp(node);
    Optional<EventRole> saidRole = constant(node, "role", EventRole.class, "EVENT_ROLE_");
    EventType type =
        constant(node, "event_type", EventType.class, "EVENT_TYPE_")
            .orElseGet(() -> saidRole.map(EventLine::messageOf).orElse(EventType.USER_MESSAGE));
    EventRole role = saidRole.orElseGet(() -> speakerOf(type));
    String text = unicode("text", text(node, "text").orElse(""));
    if (type.needsText() && text.isEmpty()) {
      throw MemoryException.invalid("text", "is empty; a user or assistant message needs some");
    }
    Map<String, String> metadata = metadata(node);
    Optional<String> agent = text(node, "agent").filter(name -> !name.isEmpty());
    agent.ifPresent(name -> unicode("agent", name));
    EventId id =
        text(node, "event_id")
            .map(given -> EventId.parse("event_id", given))
            .orElseGet(
                () -> EventIds.derive(session, timestamp, type, role, text, metadata, agent));
    return new Event(id, session, timestamp, type, role, text, metadata, agent);
  }

  private static JsonNode object(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      if (node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      throw new MemoryException(ErrorCode.INVALID_FIELD, "is not JSON: " + reason(e), e);
    }
    throw new MemoryException(
        ErrorCode.INVALID_FIELD, "is not a JSON object; expected {\"session_id\": ...}");
  }

  /// The parser's own words without its list of everything else that could have stood there.
  private static String reason(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    int list = message.indexOf(": was expecting");
    return list < 0 ? message : message.substring(0, list);
  }

  private static Instant timestamp(JsonNode node) {
    JsonNode millis = node.path("timestamp_ms");
    if (millis.isIntegralNumber() && millis.canConvertToLong() && millis.longValue() >= 0) {
      return Instant.ofEpochMilli(millis.longValue());
    }
    if (!millis.isMissingNode() && !millis.isNull()) {
      throw MemoryException.invalid(
          "timestamp_ms", "is " + millis + "; expected whole milliseconds since 1970");
    }
    String text =
        text(node, "timestamp")
            .orElseThrow(() ->
                MemoryException.invalid(
                    "timestamp_ms",
                    "is missing; send it, or `timestamp` such as 2026-01-30T14:30:00Z"));
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.toEpochMilli() >= 0) {
        return instant;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Told below, together with times before 1970.
    }
    throw MemoryException.invalid(
        "timestamp", "is " + text + "; expected a time since 1970 such as 2026-01-30T14:30:00Z");
  }

  private static <E extends Enum<E>> Optional<E> constant(
      JsonNode node, String field, Class<E> type, String wirePrefix) {
    return text(node, field)
        .map(text -> {
          String name = text.toUpperCase(Locale.ROOT);
          String bare = name.startsWith(wirePrefix) ? name.substring(wirePrefix.length()) : name;
          return Arrays.stream(type.getEnumConstants())
              .filter(each -> each.name().equals(bare))
              .findAny()
              .orElseThrow(() -> MemoryException.invalid(field, choices(text, type)));
        });
  }

  private static <E extends Enum<E>> String choices(String text, Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", ", "is " + text + "; expected one of ", ""));
  }

  /// The event that a line means which says who speaks, but not what it is.
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

  private static Map<String, String> metadata(JsonNode node) {
    JsonNode pairs = node.path("metadata");
    if (pairs.isMissingNode() || pairs.isNull()) {
      return Map.of();
    }
    if (!pairs.isObject()) {
      throw MemoryException.invalid("metadata", "is no object; expected {\"key\": \"value\"}");
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    pairs
        .properties()
        .forEach(pair -> {
          String field = "metadata." + pair.getKey();
          if (!pair.getValue().isValueNode()) {
            throw MemoryException.invalid(field, "is no text; send text, a number or a boolean");
          }
          if (!pair.getValue().isNull()) {
            metadata.put(unicode(field, pair.getKey()), unicode(field, pair.getValue().asText()));
          }
        });
    return metadata;
  }

  private static String required(JsonNode node, String field) {
    return text(node, field)
        .orElseThrow(
            () -> MemoryException.invalid(field, "is missing; send the conversation's id"));
  }

  private static Optional<String> text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw MemoryException.invalid(field, "is " + value.getNodeType() + "; expected text");
    }
    return Optional.of(value.textValue());
  }

  /// JSON can write half a character (`"\ud83d"`); nothing behind this point can store it.
  private static String unicode(String field, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    return text;
  }
}
