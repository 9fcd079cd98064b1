package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Values as JSON. Times are epoch milliseconds and enums are snake_case. Absent values are
/// omitted. Unknown fields, which a later version may have added, are ignored.
final class RowJson {

  static final JsonFactory FACTORY = new JsonFactory();
  private static final ObjectMapper MAPPER = new ObjectMapper(FACTORY);

  private RowJson() {}

  /// Writes the fields of one object.
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] object(Fields fields) {
    var bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (JsonProcessingException e) {
      throw unwritable(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static MemoryException unwritable(JsonProcessingException e) {
    return new MemoryException(
        ErrorCode.INVALID_FIELD, "a string cannot be written as JSON; send valid Unicode", e);
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  static <T> T parse(byte[] row, Function<JsonNode, T> reading) {
    try {
      return reading.apply(MAPPER.readTree(row));
    } catch (IOException | DateTimeException | IllegalArgumentException | NullPointerException e) {
      throw corrupt(e);
    }
  }

  static MemoryException corrupt(Exception e) {
    return new MemoryException(
        ErrorCode.CORRUPT_RECORD, "a stored record cannot be read: " + e.getMessage(), e);
  }

  static JsonNode required(JsonNode object, String field) {
    JsonNode value = object.get(field);
    if (value == null || value.isNull()) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, "field " + field + " is missing");
    }
    return value;
  }

  static String text(JsonNode object, String field) {
    return required(object, field).asText();
  }

  static Optional<String> optionalText(JsonNode object, String field) {
    return Optional.ofNullable(object.get(field)).map(JsonNode::asText);
  }

  static long number(JsonNode object, String field) {
    JsonNode value = required(object, field);
    if (!value.isNumber()) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, "field " + field + " is no number");
    }
    return value.asLong();
  }

  static Instant time(JsonNode object, String field) {
    return Instant.ofEpochMilli(number(object, field));
  }

  static NodeId nodeId(String text) {
    return NodeId.parse(text)
        .orElseThrow(() -> new MemoryException(ErrorCode.CORRUPT_RECORD, "no node id: " + text));
  }

  static EventKey eventKey(JsonNode object) {
    return eventKey(object, "timestamp_ms", "position", "event_id");
  }

  /// An event key from fields with these names; the position is absent when the event has none.
  static EventKey eventKey(JsonNode object, String time, String position, String id) {
    return new EventKey(
        time(object, time),
        object.has(position) ? number(object, position) : 0,
        new EventId(text(object, id)));
  }

  static void writeEventKey(JsonGenerator json, EventKey key) throws IOException {
    writeEventKey(json, key, "timestamp_ms", "position", "event_id");
  }

  static void writeEventKey(
      JsonGenerator json, EventKey key, String time, String position, String id)
      throws IOException {
    json.writeNumberField(time, key.timestamp().toEpochMilli());
    if (key.position() > 0) {
      json.writeNumberField(position, key.position());
    }
    json.writeStringField(id, key.id().value());
  }

  static <T> List<T> list(JsonNode object, String field, Function<JsonNode, T> reading) {
    var all = new ArrayList<T>();
    required(object, field).forEach(element -> all.add(reading.apply(element)));
    return all;
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
