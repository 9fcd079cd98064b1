package dev.agentmemory.client.internal.unary;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Status;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Reads the bodies of errors:
/// `{"error":{"code":"...","message":"...","field":"...","status":"..."}}`.
final class HttpErrors {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int NOT_FOUND = 404;

  private HttpErrors() {}

  /// @throws ProtocolException when the body is not one of the daemon's
  static RuntimeException of(HttpAnswer answer) throws ProtocolException {
    Map<String, String> error = fields(answer.body());
    String name = error.getOrDefault("code", "");
    String message = error.getOrDefault("message", "");
    Optional<String> status = Optional.ofNullable(error.get("status"));
    // The path of a call is one that an older daemon does not serve.
    if (answer.status() == NOT_FOUND && status.isEmpty()) {
      return Status.UNIMPLEMENTED.withDescription(message).asRuntimeException();
    }
    return code(name)
        .<RuntimeException>map(code -> explained(code, message, error))
        .orElseGet(() -> known(status.orElse(name)).withDescription(message).asRuntimeException());
  }

  private static MemoryException explained(
      ErrorCode code, String message, Map<String, String> error) {
    String field = error.getOrDefault("field", "");
    if (code != ErrorCode.INVALID_FIELD || field.isEmpty()) {
      return new MemoryException(code, message);
    }
    String prefix = field + ": ";
    return MemoryException.invalid(
        field, message.startsWith(prefix) ? message.substring(prefix.length()) : message);
  }

  private static Optional<ErrorCode> code(String name) {
    return Arrays.stream(ErrorCode.values()).filter(code -> code.name().equals(name)).findFirst();
  }

  private static Status known(String name) {
    return Arrays.stream(Status.Code.values())
        .filter(code -> code.name().equals(name))
        .findFirst()
        .orElse(Status.Code.UNKNOWN)
        .toStatus();
  }

  private static Map<String, String> fields(byte[] body) throws ProtocolException {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser = JSON.createParser(body)) {
      boolean error =
          parser.nextToken() == JsonToken.START_OBJECT
              && "error".equals(parser.nextFieldName())
              && parser.nextToken() == JsonToken.START_OBJECT;
      while (error && parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken().isScalarValue()) {
          fields.put(name, parser.getText());
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      throw new ProtocolException("no error of a daemon");
    }
    if (!fields.containsKey("code")) {
      throw new ProtocolException("no error of a daemon");
    }
    return fields;
  }
}
