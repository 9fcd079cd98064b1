package dev.agentmemory.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Writes one JSON object field by field, so that the memory does not depend on the size of the
/// object. Names are in snake_case; times are milliseconds since 1970.
public final class JsonWriter {

  private final JsonGenerator out;

  private JsonWriter(JsonGenerator out) {
    this.out = out;
  }

  /// Writes an object and a line end.
  ///
  /// @param indented whether it takes many lines, for people, or one
  public static void object(OutputStream stream, boolean indented, Consumer<JsonWriter> fields) {
    try (JsonGenerator out =
        new JsonFactory()
            .createGenerator(stream)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            // Truncated output must not be valid JSON.
            .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)) {
      if (indented) {
        out.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      out.writeStartObject();
      fields.accept(new JsonWriter(out));
      out.writeEndObject();
      out.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonWriter text(String name, String value) {
    return write(() -> out.writeStringField(name, value));
  }

  public JsonWriter text(String name, Optional<String> value) {
    return value.isPresent() ? text(name, value.get()) : nothing(name);
  }

  public JsonWriter number(String name, long value) {
    return write(() -> out.writeNumberField(name, value));
  }

  public JsonWriter number(String name, double value) {
    return write(() -> out.writeNumberField(name, value));
  }

  public JsonWriter number(String name, Optional<? extends Number> value) {
    return value.isPresent() ? number(name, value.get().longValue()) : nothing(name);
  }

  public JsonWriter fraction(String name, Optional<Double> value) {
    return value.isPresent() ? number(name, value.get().doubleValue()) : nothing(name);
  }

  public JsonWriter flag(String name, boolean value) {
    return write(() -> out.writeBooleanField(name, value));
  }

  public JsonWriter flag(String name, Optional<Boolean> value) {
    return value.isPresent() ? flag(name, value.get().booleanValue()) : nothing(name);
  }

  public JsonWriter time(String name, Instant value) {
    return number(name, value.toEpochMilli());
  }

  public JsonWriter time(String name, Optional<Instant> value) {
    return number(name, value.map(Instant::toEpochMilli));
  }

  public JsonWriter nothing(String name) {
    return write(() -> out.writeNullField(name));
  }

  /// JSON text as it is; text that is not JSON as a string.
  public JsonWriter json(String name, String value) {
    if (!isJson(value)) {
      return text(name, value);
    }
    return write(() -> {
      out.writeFieldName(name);
      out.writeRawValue(value);
    });
  }

  public JsonWriter json(String name, Optional<String> value) {
    return value.isPresent() ? json(name, value.get()) : nothing(name);
  }

  /// A text as a JSON string.
  public static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /// Whether a text is one JSON value.
  public static boolean isJson(String text) {
    try (JsonParser in = new JsonFactory().createParser(text)) {
      if (in.nextToken() == null) {
        return false;
      }
      in.skipChildren();
      return in.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  public JsonWriter object(String name, Runnable fields) {
    return write(() -> {
      out.writeObjectFieldStart(name);
      fields.run();
      out.writeEndObject();
    });
  }

  /// Pairs of text in the order of their keys.
  public JsonWriter pairs(String name, Map<String, String> pairs) {
    return object(name, () -> new TreeMap<>(pairs).forEach(this::text));
  }

  public JsonWriter texts(String name, Iterable<?> values) {
    return write(() -> {
      out.writeArrayFieldStart(name);
      for (Object value : values) {
        out.writeString(value.toString());
      }
      out.writeEndArray();
    });
  }

  /// A list of objects.
  public <T> JsonWriter list(String name, Iterable<T> items, Consumer<T> fields) {
    return write(() -> {
      out.writeArrayFieldStart(name);
      for (T item : items) {
        out.writeStartObject();
        fields.accept(item);
        out.writeEndObject();
      }
      out.writeEndArray();
    });
  }

  private JsonWriter write(Step step) {
    try {
      step.run();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
