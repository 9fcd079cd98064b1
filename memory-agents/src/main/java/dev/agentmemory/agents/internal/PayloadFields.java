package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Fields of a JSON object of which nothing is certain. A field that is absent, or of another type
/// than asked for, is empty.
public final class PayloadFields {

  /// Longest string in a payload or a line.
  private static final int MOST_CHARS = 64 << 20;

  /// The usual form of a time, with its digits as 0. It is read without a formatter, which takes a
  /// tenth of the time in which a line is read.
  private static final String USUAL = "0000-00-00T00:00:00.000Z";

  public static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(MOST_CHARS).build())
              .build());

  private final JsonNode node;

  private PayloadFields(JsonNode node) {
    this.node = node;
  }

  public static PayloadFields of(JsonNode node) {
    return new PayloadFields(node);
  }

  /// The fields of a text; empty when it is no JSON object.
  public static Optional<PayloadFields> parse(String text) {
    try {
      return object(JSON.readTree(text));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// The fields of a line; empty when it is no JSON object.
  public static Optional<PayloadFields> parse(byte[] line, int from, int length) {
    try {
      return object(JSON.readTree(line, from, length));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// The same without what is not needed: such parts are checked to be JSON, but passed over.
  ///
  /// @param partial fields of which only some members are read, with the names of these. A value
  ///   that is no object is left out
  public static Optional<PayloadFields> parse(
      byte[] line, int from, int length, Map<String, Set<String>> partial) {
    try (JsonParser parser = JSON.createParser(line, from, length)) {
      return parser.nextToken() == JsonToken.START_OBJECT
          ? Optional.of(new PayloadFields(members(parser, partial)))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static ObjectNode members(JsonParser parser, Map<String, Set<String>> partial)
      throws IOException {
    ObjectNode object = JSON.createObjectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Set<String> wanted = partial.get(name);
      JsonToken value = parser.nextToken();
      if (wanted == null) {
        object.set(name, value(parser, value));
      } else if (value == JsonToken.START_OBJECT) {
        object.set(name, some(parser, wanted));
      } else {
        parser.skipChildren();
      }
    }
    return object;
  }

  private static ObjectNode some(JsonParser parser, Set<String> wanted) throws IOException {
    ObjectNode object = JSON.createObjectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (wanted.contains(name)) {
        object.set(name, value(parser, value));
      } else {
        parser.skipChildren();
      }
    }
    return object;
  }

  /// Most values are short texts, for which the mapper would do more than read them.
  private static JsonNode value(JsonParser parser, JsonToken token) throws IOException {
    return token == JsonToken.VALUE_STRING
        ? JSON.getNodeFactory().textNode(parser.getText())
        : JSON.readTree(parser);
  }

  private static Optional<PayloadFields> object(JsonNode read) {
    return read.isObject() ? Optional.of(new PayloadFields(read)) : Optional.empty();
  }

  /// The first of these fields that is there.
  public JsonNode node(String... names) {
    for (String name : names) {
      JsonNode found = node.path(name);
      if (!found.isMissingNode() && !found.isNull()) {
        return found;
      }
    }
    return MissingNode.getInstance();
  }

  public JsonNode node() {
    return node;
  }

  /// The fields of an object in a field.
  public PayloadFields at(String... names) {
    return new PayloadFields(node(names));
  }

  public boolean has(String name) {
    return !node(name).isMissingNode();
  }

  /// A text, number or boolean as text; "" when there is none of these fields.
  public String text(String... names) {
    for (String name : names) {
      JsonNode found = node.path(name);
      if (found.isValueNode() && !found.isNull() && !found.asText().isEmpty()) {
        return found.asText();
      }
    }
    return "";
  }

  public boolean flag(String... names) {
    return node(names).asBoolean(false);
  }

  /// A time in ISO form, or in milliseconds since 1970.
  public Optional<Instant> time(String... names) {
    JsonNode found = node(names);
    try {
      if (found.isNumber()) {
        return Optional.of(Instant.ofEpochMilli(found.asLong())).filter(PayloadFields::storable);
      }
      return found.isTextual()
          ? Optional.of(instant(found.asText())).filter(PayloadFields::storable)
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Instant instant(String text) {
    return isUsual(text) ? usual(text) : OffsetDateTime.parse(text).toInstant();
  }

  private static boolean isUsual(String text) {
    boolean usual = text.length() == USUAL.length();
    for (int i = 0; usual && i < text.length(); i++) {
      char c = text.charAt(i);
      usual = USUAL.charAt(i) == '0' ? c >= '0' && c <= '9' : c == USUAL.charAt(i);
    }
    // Midnight can be the hour 24 of the day before, which only the formatter knows.
    return usual && number(text, 11, 13) < 24;
  }

  private static Instant usual(String text) {
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            number(text, 20, 23) * 1_000_000)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static boolean storable(Instant time) {
    return !time.isBefore(Instant.EPOCH) && time.getEpochSecond() < 9_999_999_999L;
  }
}
