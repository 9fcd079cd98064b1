package dev.agentmemory.gateway.mcp.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Reads and writes JSON as Java has it: maps, lists, texts, numbers, booleans, null.
public final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /// The null of JSON, where a null of Java cannot be.
  public static final Object NULL = NullNode.getInstance();

  private Json() {}

  /// @return empty when it is not exactly one JSON value, or null
  public static Optional<Object> read(byte[] bytes) {
    try {
      return Optional.ofNullable(MAPPER.readValue(bytes, Object.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// @param value of types that JSON has
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not of JSON's types", e);
    }
  }

  /// An object whose fields keep their order.
  ///
  /// @param namesAndValues name, value, name, value, ...
  public static Map<String, Object> object(Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return Collections.unmodifiableMap(object);
  }
}
