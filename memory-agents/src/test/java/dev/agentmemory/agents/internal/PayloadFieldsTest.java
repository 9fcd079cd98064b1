package dev.agentmemory.agents.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Lines of which a part is passed over.
class PayloadFieldsTest {

  private static final Map<String, Set<String>> PARTIAL =
      Map.of("result", Set.of("id"), "data", Set.of());

  @Test
  void partialField_hasTheNamedMembersOnly() {
    PayloadFields line =
        parse(
            "{\"result\":{\"out\":{\"id\":\"inner\"},\"id\":\"a\",\"x\":[1]},\"data\":{\"y\":1}}");
    assertThat(line.node("result")).isEqualTo(parse("{\"id\":\"a\"}").node());
    assertThat(line.node("data")).isEmpty();
  }

  @Test
  void partialField_thatIsNoObject_isLeftOut_andTheNextFieldIsRead() {
    for (String value : new String[] {"\"text\"", "[{\"id\":1},[2]]", "7", "null"}) {
      PayloadFields line = parse("{\"result\":" + value + ",\"next\":\"b\"}");
      assertThat(line.has("result")).isFalse();
      assertThat(line.text("next")).isEqualTo("b");
    }
  }

  @Test
  void otherFields_areThoseOfAWholeReading() {
    String text =
        "{\"a\":\"x\\u00e9\\n\",\"b\":{\"result\":{\"out\":1}},\"c\":[1,\"2\",{}],\"d\":1.5,\"e\":true,\"f\":null}";
    assertThat(parse(text).node()).isEqualTo(PayloadFields.parse(text).orElseThrow().node());
  }

  @Test
  void lineThatIsNotJson_isEmpty_alsoWithinWhatIsPassedOver() {
    for (String text :
        new String[] {
          "", "[]", "\"x\"", "{\"result\":{\"out\":\"x", "{\"data\":{]}}", "{\"a\":1"
        }) {
      assertThat(read(text)).describedAs(text).isEmpty();
    }
  }

  private static PayloadFields parse(String text) {
    return read(text).orElseThrow();
  }

  private static Optional<PayloadFields> read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return PayloadFields.parse(bytes, 0, bytes.length, PARTIAL);
  }
}
