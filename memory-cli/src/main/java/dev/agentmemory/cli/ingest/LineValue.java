package dev.agentmemory.cli.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/// A JSON value of a line. It is read token by token, because a library's object mapper takes
/// longer to start than the rest of a small command.
sealed interface LineValue {

  record Text(String value) implements LineValue {}

  /// @param literal as it is written, such as `1.5`
  record Numeral(String literal) implements LineValue {}

  record Flag(boolean value) implements LineValue {}

  record Nothing() implements LineValue {}

  /// An array. No event has a field with one, so its items are not kept.
  record Items() implements LineValue {}

  /// @param values by name, in the order of the text
  record Fields(Map<String, LineValue> values) implements LineValue {}

  /// @return the only value of the text
  /// @throws JsonProcessingException when it is not JSON, when a name occurs twice, or when text
  ///   follows the value
  static LineValue read(String text) throws JsonProcessingException {
    try (JsonParser parser = Reading.FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new JsonParseException(parser, "the line is empty");
      }
      LineValue value = Reading.value(parser);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "unexpected text after the object");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be read", e);
    }
  }

  /// The name of this kind of value in messages.
  default String kind() {
    return switch (this) {
      case Text _ -> "text";
      case Numeral _ -> "a number";
      case Flag _ -> "a boolean";
      case Nothing _ -> "null";
      case Items _ -> "an array";
      case Fields _ -> "an object";
    };
  }

  /// Reads values.
  final class Reading {

    private static final JsonFactory FACTORY =
        JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private Reading() {}

    private static LineValue value(JsonParser parser) throws IOException {
      return switch (parser.currentToken()) {
        case START_OBJECT -> fields(parser);
        case START_ARRAY -> {
          parser.skipChildren();
          yield new Items();
        }
        case VALUE_TRUE, VALUE_FALSE -> new Flag(parser.getBooleanValue());
        case VALUE_NULL -> new Nothing();
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Numeral(parser.getText());
        default -> new Text(parser.getText());
      };
    }

    private static Fields fields(JsonParser parser) throws IOException {
      Map<String, LineValue> values = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        values.put(name, value(parser));
      }
      return new Fields(values);
    }
  }
}
