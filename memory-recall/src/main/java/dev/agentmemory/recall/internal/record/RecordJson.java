package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Objects of JSON as rows have them. Times are epoch milliseconds, enums are snake_case, absent
/// values are omitted and numbers keep the digits that they were written with.
public final class RecordJson {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private RecordJson() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /// Reads one object.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public static ObjectNode parse(String text) {
    return find(text).orElseThrow(() -> corrupt("a stored record is not a JSON object"));
  }

  /// An object, if a text is one and nothing else.
  public static Optional<ObjectNode> find(String text) {
    try {
      return MAPPER.readTree(text) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  public static String write(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a tree of JSON can be written", e);
    }
  }

  public static MemoryException corrupt(String why) {
    return new MemoryException(ErrorCode.CORRUPT_RECORD, why);
  }

  public static JsonNode required(ObjectNode object, String field) {
    JsonNode value = object.get(field);
    if (value == null || value.isNull()) {
      throw corrupt("field " + field + " is missing");
    }
    return value;
  }

  public static String text(ObjectNode object, String field) {
    JsonNode value = required(object, field);
    if (!value.isTextual()) {
      throw corrupt("field " + field + " is no text");
    }
    return value.textValue();
  }

  public static Optional<String> optionalText(ObjectNode object, String field) {
    return object.hasNonNull(field) ? Optional.of(text(object, field)) : Optional.empty();
  }

  public static long number(ObjectNode object, String field) {
    JsonNode value = required(object, field);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw corrupt("field " + field + " is no whole number");
    }
    return value.longValue();
  }

  public static double decimal(ObjectNode object, String field) {
    JsonNode value = required(object, field);
    if (!value.isNumber()) {
      throw corrupt("field " + field + " is no number");
    }
    return value.doubleValue();
  }

  public static boolean bool(ObjectNode object, String field) {
    JsonNode value = required(object, field);
    if (!value.isBoolean()) {
      throw corrupt("field " + field + " is neither true nor false");
    }
    return value.booleanValue();
  }

  public static Instant time(ObjectNode object, String field) {
    return Instant.ofEpochMilli(number(object, field));
  }

  public static Optional<Instant> optionalTime(ObjectNode object, String field) {
    return object.hasNonNull(field) ? Optional.of(time(object, field)) : Optional.empty();
  }

  public static <E extends Enum<E>> E constant(ObjectNode object, String field, Class<E> type) {
    return Enum.valueOf(type, text(object, field).toUpperCase(Locale.ROOT));
  }

  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public static <T> List<T> list(ObjectNode object, String field, Function<String, T> form) {
    JsonNode elements = required(object, field);
    if (!elements.isArray()) {
      throw corrupt("field " + field + " is no list");
    }
    List<T> all = new ArrayList<>();
    for (JsonNode element : elements) {
      if (!element.isTextual()) {
        throw corrupt("field " + field + " holds what is no text");
      }
      all.add(form.apply(element.textValue()));
    }
    return all;
  }
}
