package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// JSON as it comes out.
class JsonWriterTest {

  @Test
  void object_allKindsOfFields_canBeReadBack() throws JsonProcessingException {
    String line =
        written(json ->
            json.text("text", "a \"b\"\n\u0000é😀")
                .text("no_text", Optional.empty())
                .number("number", 7)
                .flag("flag", true)
                .time("time_ms", Optional.of(Instant.ofEpochMilli(5)))
                .pairs("pairs", Map.of("b", "2", "a", "1"))
                .texts("texts", List.of("x", "y"))
                .list("list", List.of(1, 2), item -> json.number("item", item)));
    assertThat(line).endsWith("}\n").isEqualTo(line.strip() + "\n").doesNotContain("\n ");
    JsonNode node = new JsonMapper().readTree(line);
    assertThat(node.get("text").textValue()).isEqualTo("a \"b\"\n\u0000é😀");
    assertThat(node.get("no_text").isNull()).isTrue();
    assertThat(node.get("number").longValue()).isEqualTo(7);
    assertThat(node.get("flag").booleanValue()).isTrue();
    assertThat(node.get("time_ms").longValue()).isEqualTo(5);
    assertThat(node.get("pairs")).hasToString("{\"a\":\"1\",\"b\":\"2\"}");
    assertThat(node.get("texts")).hasToString("[\"x\",\"y\"]");
    assertThat(node.get("list")).hasToString("[{\"item\":1},{\"item\":2}]");
  }

  @Test
  void object_failureOnTheWay_doesNotLookWhole() {
    var out = new ByteArrayOutputStream();
    assertThatThrownBy(() ->
            JsonWriter.object(
                out,
                /* indented= */ false,
                json -> {
                  json.text("first", "there");
                  throw new IllegalStateException("the daemon is gone");
                }))
        .isInstanceOf(IllegalStateException.class);
    String cut = out.toString(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> new JsonMapper().readTree(cut))
        .isInstanceOf(JsonProcessingException.class);
  }

  private static String written(Consumer<JsonWriter> fields) {
    var out = new ByteArrayOutputStream();
    JsonWriter.object(out, /* indented= */ false, fields);
    return out.toString(StandardCharsets.UTF_8);
  }
}
