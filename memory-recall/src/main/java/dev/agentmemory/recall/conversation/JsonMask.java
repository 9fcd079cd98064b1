package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.UnicodeText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Masks secrets in the names and values of a JSON text. The result is JSON again, which masking
/// the text itself would not promise. A text without secrets is returned as it is.
final class JsonMask {

  /// Deeper values are refused: not every reader of JSON could read them back.
  private static final int MOST_LEVELS = 500;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // A table of all names that were ever read would only grow.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          // The size of the text is limited by the callers.
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_LEVELS)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final UnaryOperator<String> text;
  private final BinaryOperator<String> named;

  /// @param text masks a text
  /// @param named masks the second argument, whose name is the first one
  JsonMask(UnaryOperator<String> text, BinaryOperator<String> named) {
    this.text = text;
    this.named = named;
  }

  /// @param field of the request, for a refusal
  /// @param json one JSON value of any type
  /// @throws MemoryException `INVALID_FIELD`
  String apply(String field, String json) {
    var out = new StringWriter(json.length());
    boolean masked;
    try (JsonParser parser = FACTORY.createParser(json);
        JsonGenerator generator = FACTORY.createGenerator(out)) {
      masked = copyValue(field, parser, generator);
      if (parser.nextToken() != null) {
        throw MemoryException.invalid(field, "holds more than one JSON value; send one");
      }
    } catch (JsonProcessingException e) {
      throw invalid(field, e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return masked ? out.toString() : json;
  }

  /// Copies one value of the root.
  ///
  /// @return whether something was masked
  private boolean copyValue(String field, JsonParser parser, JsonGenerator generator)
      throws IOException {
    boolean masked = false;
    int depth = 0;
    do {
      @Nullable JsonToken token = parser.nextToken();
      if (token == null) {
        throw invalid(field, "it is empty");
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      masked |= copyToken(field, token, parser, generator);
    } while (depth > 0);
    return masked;
  }

  /// @return whether it was masked
  private boolean copyToken(
      String field, JsonToken token, JsonParser parser, JsonGenerator generator)
      throws IOException {
    return switch (token) {
      case FIELD_NAME -> {
        String said = valid(field, parser.getText());
        String changed = text.apply(said);
        generator.writeFieldName(changed);
        yield !changed.equals(said);
      }
      case VALUE_STRING -> {
        String said = valid(field, parser.getText());
        String changed = named.apply(name(parser), said);
        generator.writeString(changed);
        yield !changed.equals(said);
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String said = parser.getText();
        String changed = named.apply(name(parser), said);
        boolean secret = !changed.equals(said);
        if (secret) {
          generator.writeString(changed);
        } else {
          // As it was written: a conversion could lose digits.
          generator.writeNumber(said);
        }
        yield secret;
      }
      case START_OBJECT,
          END_OBJECT,
          START_ARRAY,
          END_ARRAY,
          VALUE_TRUE,
          VALUE_FALSE,
          VALUE_NULL,
          VALUE_EMBEDDED_OBJECT,
          NOT_AVAILABLE -> {
        generator.copyCurrentEvent(parser);
        yield false;
      }
    };
  }

  /// The name of a value; an element of an array has that of the array.
  private static String name(JsonParser parser) {
    JsonStreamContext context = parser.getParsingContext();
    while (context.inArray()) {
      context = context.getParent();
    }
    String name = context.getCurrentName();
    return name == null ? "" : name;
  }

  /// A text, unless it could not be stored as UTF-8.
  private static String valid(String field, String said) {
    if (UnicodeText.hasLoneSurrogate(said)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    return said;
  }

  private static MemoryException invalid(String field, String why) {
    return MemoryException.invalid(field, "is not valid JSON: " + why);
  }
}
