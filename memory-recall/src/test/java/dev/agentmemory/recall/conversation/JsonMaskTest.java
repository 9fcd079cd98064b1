package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.MASKS;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.ErrorCode;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Masking JSON.
class JsonMaskTest {

  private static final JsonMapper JSON = new JsonMapper();

  private static String masked(String json) {
    return MASKS.maskJson("value", json);
  }

  @Test
  void mask_withoutSecrets_returnsTheSameText() {
    String json = " { \"a\" : 1.000000000000000000000000001, \"a\":[ ] } ";
    assertThat(masked(json)).isSameAs(json);
  }

  @Test
  void mask_secret_leavesTheRestAsItWas() {
    assertThat(masked("[\"secret-1\",1.10,1e400,123456789012345678901234567890,true,null,{}]"))
        .isEqualTo("[\"[masked:token]\",1.10,1e400,123456789012345678901234567890,true,null,{}]");
  }

  @Test
  void mask_namesAndNestedValues_areMasked() {
    assertThat(masked("{\"secret-1\":{\"a\":[[\"secret-2\"]]}}"))
        .isEqualTo("{\"[masked:token]\":{\"a\":[[\"[masked:token]\"]]}}");
  }

  @Test
  void mask_valueWhoseNameTells_isMaskedWhateverItsType() {
    assertThat(masked("{\"password\":12345,\"b\":{\"password\":[\"x\",[\"y\"],{\"c\":\"z\"}]}}"))
        .isEqualTo(
            "{\"password\":\"[masked:password]\",\"b\":{\"password\":[\"[masked:password]\","
                + "[\"[masked:password]\"],{\"c\":\"z\"}]}}");
  }

  @Test
  void mask_secretWithEscapes_isFoundInItsPlainForm() {
    assertThat(masked("\"s\\u0065cret-1\"")).isEqualTo("\"[masked:token]\"");
  }

  @Test
  void mask_deepValue_isRefusedBeyondItsLimit() {
    assertThat(masked("[".repeat(500) + "]".repeat(500))).hasSize(1000);
    refused(ErrorCode.INVALID_FIELD, () -> masked("[".repeat(501) + "]".repeat(501)), "value");
  }

  @Test
  void mask_longNamesAndNumbers_areNotLimited() {
    String json = "{\"" + "n".repeat(60_000) + "\":" + "1".repeat(5_000) + "}";
    assertThat(masked(json)).isSameAs(json);
  }

  @Seeds(200)
  void mask_anyValue_isJsonAgain(RandomGenerator random) throws IOException {
    String json = value(random, 4);
    String masked = masked(json);
    assertThat(masked).doesNotContain("secret-");
    assertThat(JSON.readTree(masked).getNodeType()).isEqualTo(JSON.readTree(json).getNodeType());
    assertThat(masked(masked)).isEqualTo(masked);
  }

  private static String value(RandomGenerator random, int depth) throws IOException {
    return switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0 -> Long.toString(random.nextLong());
      case 1 -> text(random);
      case 2 -> "null";
      case 3 -> "-0.5E-7";
      case 4 -> "[" + value(random, depth - 1) + " ,\t" + value(random, depth - 1) + "]";
      default ->
          "{" + text(random) + ":" + value(random, depth - 1) + ",\"b\":" + text(random) + "}";
    };
  }

  private static String text(RandomGenerator random) throws IOException {
    String[] parts = {"secret-abc", "\"", "\\", "\n", "😀", " ", "x", "/", "\u0001"};
    var text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return JSON.writeValueAsString(text.toString());
  }
}
