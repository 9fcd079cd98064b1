package dev.agentmemory.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;

/// Payloads that no version sends: fields missing, renamed, of other types, huge; cut texts.
final class HookMutationTest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Seeds(40)
  @Tag("slow")
  void mutatedPayload_givesNoException_andNoEventBeyondTheLimits(RandomGenerator random)
      throws IOException {
    List<Agent> agents = List.of(Agent.values());
    for (Path file : Recorded.payloads()) {
      HookMessage message = Recorded.message(file);
      JsonNode body = PayloadFields.JSON.readTree(message.body());
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        mutate(body, random);
      }
      String text = body.toString();
      String sent =
          random.nextInt(10) == 0 ? text.substring(0, random.nextInt(text.length())) : text;
      Agent agent =
          random.nextInt(10) == 0 ? agents.get(random.nextInt(agents.size())) : message.agent();

      check(
          HookReader.read(
              new HookMessage(agent, message.event(), sent, Map.of(), message.received())));
    }
  }

  private static void check(HookCapture capture) {
    if (capture.session().isEmpty()) {
      assertThat(capture.events()).isEmpty();
    }
    for (Event event : capture.events()) {
      assertThat(bytes(event.text())).isLessThanOrEqualTo(1 << 20);
      assertThat(event.type().needsText() && event.text().isEmpty()).isFalse();
      assertThat(event.metadata()).hasSizeLessThanOrEqualTo(64);
      assertThat(event.metadata())
          .allSatisfy((key, value) -> {
            assertThat(bytes(key)).isLessThanOrEqualTo(256);
            assertThat(bytes(value)).isLessThanOrEqualTo(AgentMetadata.MOST_VALUE_BYTES);
          });
      assertThat(event.timestamp()).isBefore(Recorded.RECEIVED.plusSeconds(61));
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(event.text())).isTrue();
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void mutate(JsonNode body, RandomGenerator random) {
    List<ObjectNode> objects = new ArrayList<>();
    collect(body, objects);
    ObjectNode object = objects.get(random.nextInt(objects.size()));
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    if (names.isEmpty()) {
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(3)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name + random.nextInt(10), object.remove(name));
      default -> object.set(name, value(random));
    }
  }

  private static void collect(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) {
      objects.add(object);
    }
    node.forEach(child -> collect(child, objects));
  }

  private static JsonNode value(RandomGenerator random) {
    return switch (random.nextInt(10)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.numberNode(random.nextLong());
      case 2 -> NODES.booleanNode(random.nextBoolean());
      case 3 -> new ArrayNode(NODES).add(1).add("x").add(NODES.objectNode());
      case 4 -> NODES.objectNode().put("text", "x").put("deep", 1.5e300);
      case 5 -> NODES.textNode("");
      case 6 -> NODES.textNode("\u0000\uD83D <hook_context> @a/b /etc \uDE00");
      case 7 -> NODES.textNode("ä€😀".repeat(random.nextInt(1, 200_000)));
      case 8 -> deep();
      default -> NODES.textNode(" 2099-01-01T00:00:00Z ");
    };
  }

  private static JsonNode deep() {
    JsonNode node = NODES.objectNode();
    for (int i = 0; i < 200; i++) {
      node = NODES.objectNode().set("content", new ArrayNode(NODES).add(node));
    }
    return node;
  }
}
