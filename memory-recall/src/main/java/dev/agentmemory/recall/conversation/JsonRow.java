package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Records as JSON objects. Times are epoch milliseconds, absent values are omitted, unknown fields
/// are ignored.
final class JsonRow {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String VERSION = "schema_version";
  private static final int LAST_VERSION = 1;

  private JsonRow() {}

  /// An object that has its version only.
  static ObjectNode object() {
    return part().put(VERSION, LAST_VERSION);
  }

  /// An object within a record.
  static ObjectNode part() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Reads a record.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` naming the key
  static <T> T read(String key, String value, Function<JsonNode, T> form) {
    try {
      JsonNode json = JSON.readTree(value);
      int version = json.path(VERSION).asInt();
      if (version < 1 || version > LAST_VERSION) {
        throw new IllegalArgumentException(
            "%s is %d; expected 1 to %d".formatted(VERSION, version, LAST_VERSION));
      }
      return form.apply(json);
    } catch (JsonProcessingException
        | DateTimeException
        | IllegalArgumentException
        | MemoryException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "the record %s cannot be read: %s; restore it from a backup"
              .formatted(key.replace('\0', ' '), e.getMessage()),
          e);
    }
  }

  static Optional<String> text(JsonNode json, String field) {
    return Optional.of(json.path(field)).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  /// @throws IllegalArgumentException when it is absent
  static String required(JsonNode json, String field) {
    return text(json, field).orElseThrow(() -> missing(field));
  }

  static Optional<Long> number(JsonNode json, String field) {
    return Optional.of(json.path(field))
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::longValue);
  }

  /// @throws IllegalArgumentException when it is absent
  static long requiredNumber(JsonNode json, String field) {
    return number(json, field).orElseThrow(() -> missing(field));
  }

  static Optional<Double> fraction(JsonNode json, String field) {
    return Optional.of(json.path(field)).filter(JsonNode::isNumber).map(JsonNode::doubleValue);
  }

  static Optional<Boolean> flag(JsonNode json, String field) {
    return Optional.of(json.path(field)).filter(JsonNode::isBoolean).map(JsonNode::booleanValue);
  }

  static Optional<Instant> time(JsonNode json, String field) {
    return number(json, field).map(Instant::ofEpochMilli);
  }

  /// @throws IllegalArgumentException when it is absent
  static Instant requiredTime(JsonNode json, String field) {
    return time(json, field).orElseThrow(() -> missing(field));
  }

  /// An object within a record.
  static Optional<JsonNode> part(JsonNode json, String field) {
    return Optional.of(json.path(field)).filter(JsonNode::isObject);
  }

  static void put(ObjectNode json, String field, Instant time) {
    json.put(field, time.toEpochMilli());
  }

  private static IllegalArgumentException missing(String field) {
    return new IllegalArgumentException("field " + field + " is missing");
  }
}
