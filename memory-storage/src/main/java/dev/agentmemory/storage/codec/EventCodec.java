package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Events as rows. They are by far the most frequent record, so they are written and read field by
/// field without a tree of objects. The digest is near the beginning, so that a repeat can be
/// distinguished from a conflict without reading the rest.
///
/// The position comes first, always in the same ten bytes and padded with blanks. So the commit
/// thread can write it into an encoded row, and a scan can read it without a parser.
public final class EventCodec {

  /// Version 1 has a longer digest.
  private static final int SCHEMA_VERSION = 2;

  private static final byte[] BEFORE_POSITION =
      ("{\"schema_version\":" + SCHEMA_VERSION + ",\"position\":")
          .getBytes(StandardCharsets.US_ASCII);

  /// Where the position of a row begins.
  public static final int POSITION_AT = BEFORE_POSITION.length;

  /// Length of the beginning of a row that contains its position.
  public static final int HEAD_LENGTH = POSITION_AT + Keys.POSITION_DIGITS;

  private static final String FIRST = padded(1);

  private EventCodec() {}

  public static byte[] encode(Event event, String digest) {
    return encode(event, event.position(), digest);
  }

  /// The row of an event with another position than it came with.
  public static byte[] encode(Event event, long position, String digest) {
    try (var bytes = new ByteArrayBuilder(event.text().length() + 320);
        JsonGenerator json = RowJson.FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeFieldName("position");
      json.writeRawValue(position == 1 ? FIRST : padded(position));
      json.writeStringField("digest", digest);
      json.writeStringField("event_id", event.id().value());
      json.writeStringField("session_id", event.session().value());
      json.writeNumberField("timestamp_ms", event.timestamp().toEpochMilli());
      json.writeStringField("event_type", RowJson.lower(event.type()));
      json.writeStringField("role", RowJson.lower(event.role()));
      json.writeStringField("text", event.text());
      if (!event.metadata().isEmpty()) {
        writeMetadata(json, event.metadata());
      }
      if (event.agent().isPresent()) {
        json.writeStringField("agent", event.agent().get());
      }
      json.writeEndObject();
      json.flush();
      return bytes.toByteArray();
    } catch (JsonProcessingException e) {
      throw RowJson.unwritable(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String padded(long position) {
    byte[] digits = new byte[Keys.POSITION_DIGITS];
    writePosition(position, digits, 0);
    return new String(digits, StandardCharsets.US_ASCII);
  }

  /// Writes the digits of a position, padded with blanks.
  static void writePosition(long position, byte[] into, int at) {
    Keys.writeDigits(position, into, at, Keys.POSITION_DIGITS);
    for (int i = at; into[i] == '0' && i < at + Keys.POSITION_DIGITS - 1; i++) {
      into[i] = ' ';
    }
  }

  /// The position of a row; 0 in rows of formats before 4, which have none, and in damaged ones.
  ///
  /// @param head the first [#HEAD_LENGTH] bytes of the row, or fewer where it is shorter
  public static long position(byte[] head) {
    if (head.length < HEAD_LENGTH
        || !Arrays.equals(head, 0, POSITION_AT, BEFORE_POSITION, 0, POSITION_AT)) {
      return 0;
    }
    long position = 0;
    for (int i = POSITION_AT; i < HEAD_LENGTH; i++) {
      if (head[i] >= '0' && head[i] <= '9') {
        position = position * 10 + (head[i] - '0');
      }
    }
    return position;
  }

  private static void writeMetadata(JsonGenerator json, Map<String, String> metadata)
      throws IOException {
    json.writeObjectFieldStart("metadata");
    for (Map.Entry<String, String> entry : new TreeMap<>(metadata).entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }

  public static Event decode(byte[] row) {
    try (JsonParser json = RowJson.FACTORY.createParser(row)) {
      var draft = new Draft();
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("no object");
      }
      for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
        json.nextToken();
        draft.read(field, json);
      }
      return draft.event();
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      throw RowJson.corrupt(e);
    }
  }

  /// The digest of a row, empty when the row cannot be read.
  public static Optional<String> digest(byte[] row) {
    try (JsonParser json = RowJson.FACTORY.createParser(row)) {
      json.nextToken();
      for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
        json.nextToken();
        if (field.equals("digest")) {
          return Optional.of(ContentDigest.shortened(json.getText()));
        }
        json.skipChildren();
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// Converts a row of an earlier format; empty when it has the current format already.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public static Optional<byte[]> renewed(byte[] row) {
    if (RowJson.parse(row, json -> RowJson.number(json, "schema_version")) == SCHEMA_VERSION) {
      return Optional.empty();
    }
    return Optional.of(encode(decode(row), digest(row).orElse("")));
  }

  /// The fields read so far.
  private static final class Draft {

    private @Nullable String id;
    private @Nullable String session;
    private @Nullable String type;
    private @Nullable String role;
    private @Nullable String text;
    private @Nullable String agent;
    private long millis = -1;
    private long position;
    private final Map<String, String> metadata = new HashMap<>();

    void read(String field, JsonParser json) throws IOException {
      switch (field) {
        case "event_id" -> id = json.getText();
        case "session_id" -> session = json.getText();
        case "position" -> position = json.getLongValue();
        case "timestamp_ms" -> millis = json.getLongValue();
        case "event_type" -> type = json.getText();
        case "role" -> role = json.getText();
        case "text" -> text = json.getText();
        case "agent" -> agent = json.getText();
        case "metadata" -> readMetadata(json);
        default -> json.skipChildren();
      }
    }

    private void readMetadata(JsonParser json) throws IOException {
      for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
        metadata.put(key, Objects.requireNonNull(json.nextTextValue(), "metadata"));
      }
    }

    Event event() {
      return new Event(
          new EventId(Objects.requireNonNull(id, "event_id")),
          new SessionId(Objects.requireNonNull(session, "session_id")),
          Instant.ofEpochMilli(millis),
          EventType.valueOf(RowJson.upper(Objects.requireNonNull(type, "event_type"))),
          EventRole.valueOf(RowJson.upper(Objects.requireNonNull(role, "role"))),
          Objects.requireNonNull(text, "text"),
          metadata,
          Optional.ofNullable(agent),
          position);
    }
  }
}
