package dev.agentmemory.cli.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;

/// What a bridge has to know of a JSON-RPC message. It is read token by token, because an object
/// mapper takes longer to start than the rest of the bridge.
///
/// @param id as JSON; empty for notifications and answers
/// @param method empty for answers
/// @param name what the request is about: a tool, a prompt, a resource
/// @param revision that the metadata names, as clients of 2026 do
/// @param client name of the program that introduces itself, as clients of 2025 do once
record BridgeMessage(
    Optional<String> id,
    Optional<String> method,
    Optional<String> name,
    Optional<String> revision,
    Optional<String> client) {

  static final BridgeMessage NONE =
      new BridgeMessage(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final JsonFactory JSON = new JsonFactory();
  private static final String REVISION = "io.modelcontextprotocol/protocolVersion";

  /// @return [#NONE] when it is not an object; the daemon then says what is wrong
  static BridgeMessage read(byte[] line) {
    try (JsonParser parser = JSON.createParser(line)) {
      return parser.nextToken() == JsonToken.START_OBJECT ? new Reading().message(parser) : NONE;
    } catch (IOException e) {
      return NONE;
    }
  }

  /// Whether the message is a request, so that an answer is expected.
  boolean isRequest() {
    return id.isPresent() && method.isPresent();
  }

  /// Whether it may be sent again when the daemon ended before it answered. A tool may have done
  /// its work already.
  boolean isRepeatable() {
    return !method.equals(Optional.of("tools/call"));
  }

  private static final class Reading {

    private Optional<String> id = Optional.empty();
    private Optional<String> method = Optional.empty();
    private Optional<String> name = Optional.empty();
    private Optional<String> revision = Optional.empty();
    private Optional<String> client = Optional.empty();

    BridgeMessage message(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (field) {
          case "id" -> id = id(parser, value);
          case "method" -> method = text(parser, value);
          case "params" -> params(parser, value);
          default -> {}
        }
        parser.skipChildren();
      }
      return new BridgeMessage(id, method, name, revision, client);
    }

    private void params(JsonParser parser, JsonToken start) throws IOException {
      if (start != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (field) {
          case "name", "uri" -> name = text(parser, value).or(() -> name);
          case "_meta" -> revision = member(parser, value, REVISION);
          case "clientInfo" -> client = member(parser, value, "name");
          default -> {}
        }
        parser.skipChildren();
      }
    }

    private static Optional<String> member(JsonParser parser, JsonToken start, String name)
        throws IOException {
      Optional<String> found = Optional.empty();
      if (start != JsonToken.START_OBJECT) {
        return found;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals(name)) {
          found = text(parser, value);
        }
        parser.skipChildren();
      }
      return found;
    }

    private static Optional<String> text(JsonParser parser, JsonToken value) throws IOException {
      return value == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
    }

    private static Optional<String> id(JsonParser parser, JsonToken value) throws IOException {
      return switch (value) {
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(parser.getText());
        case VALUE_STRING -> Optional.of(BridgeErrors.quoted(parser.getText()));
        default -> Optional.empty();
      };
    }
  }
}
