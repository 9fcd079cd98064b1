package dev.agentmemory.service.internal.encoded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.UnicodeText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Checks that bytes are one JSON object. The JSON library of protobuf accepts more: names without
/// quotes, text after the end, and halves of surrogate pairs, which become question marks.
final class StrictJson {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private StrictJson() {}

  /// @throws MemoryException `INVALID_FIELD` when they are not
  static String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      check(text);
      return text;
    } catch (CharacterCodingException e) {
      throw refused("is not UTF-8");
    } catch (IOException e) {
      throw refused("is not JSON");
    }
  }

  private static void check(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw refused("is not a JSON object");
      }
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          throw refused("is not complete");
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING) {
          checkSurrogates(parser.getText());
        }
      }
      if (parser.nextToken() != null) {
        throw refused("has more than one JSON object");
      }
    }
  }

  private static void checkSurrogates(String text) {
    if (UnicodeText.hasLoneSurrogate(text)) {
      throw refused("holds half a surrogate pair; send valid Unicode");
    }
  }

  private static MemoryException refused(String what) {
    return new MemoryException(ErrorCode.INVALID_FIELD, "the body " + what);
  }
}
