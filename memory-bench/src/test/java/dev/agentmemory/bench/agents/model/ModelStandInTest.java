package dev.agentmemory.bench.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ModelStandInTest {

  private static final String TOOLS = "\"tools\":[{\"name\":\"x\"}]";

  private final ModelScript script = new ModelScript();
  private ModelStandIn model;

  @BeforeEach
  void start() throws IOException {
    model = ModelStandIn.start(script);
    script.add(
        "play-one",
        List.of(
            new ModelReply(
                "First.", List.of(ToolCall.of("sh", "c", "a"), ToolCall.of("sh", "c", "b"))),
            ModelReply.text("Last.")));
  }

  @AfterEach
  void stop() {
    model.close();
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(model.url() + path))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void messages_firstAndLastStep() throws Exception {
    String prompt =
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"do play-one\"}]}";
    String calls =
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"name\":\"sh\"},"
            + "{\"type\":\"tool_use\",\"name\":\"sh\"}]}";
    String result =
        "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":\"play-two\"}]}";

    assertThat(
            post("/v1/messages", "{" + TOOLS + ",\"stream\":true,\"messages\":[" + prompt + "]}"))
        .contains(
            "event: message_start", "First.", "tool_use", "\\\"c\\\":\\\"b\\\"", "message_stop");
    assertThat(
            post(
                "/v1/messages",
                "{" + TOOLS + ",\"messages\":[" + prompt + "," + calls + "," + result + "]}"))
        .startsWith("{")
        .contains("Last.", "end_turn");
  }

  @Test
  void responses_firstAndLastStep() throws Exception {
    String prompt =
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"text\":\"play-one\"}]}";
    String call = "{\"type\":\"function_call\",\"name\":\"sh\"}";

    assertThat(post("/v1/responses", "{" + TOOLS + ",\"input\":[" + prompt + "]}"))
        .contains("response.created", "First.", "function_call", "response.completed");
    assertThat(
            post(
                "/v1/responses",
                "{" + TOOLS + ",\"input\":[" + prompt + "," + call + "," + call + "]}"))
        .contains("Last.")
        .doesNotContain("function_call");
  }

  @Test
  void generateContent_firstAndLastStep() throws Exception {
    String prompt = "{\"role\":\"user\",\"parts\":[{\"text\":\"play-one\"}]}";
    String calls = "{\"role\":\"model\",\"parts\":[{\"functionCall\":{}},{\"functionCall\":{}}]}";

    assertThat(
            post(
                "/v1beta/models/m:streamGenerateContent",
                "{" + TOOLS + ",\"contents\":[" + prompt + "]}"))
        .startsWith("data: ")
        .contains("First.", "functionCall");
    assertThat(
            post(
                "/v1beta/models/m:generateContent",
                "{" + TOOLS + ",\"contents\":[" + prompt + "," + calls + "]}"))
        .startsWith("{")
        .contains("Last.");
  }

  @Test
  void chat_firstAndLastStep() throws Exception {
    String prompt = "{\"role\":\"user\",\"content\":\"play-one\"}";
    String calls = "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{},{}]}";

    assertThat(
            post(
                "/v1/chat/completions",
                "{" + TOOLS + ",\"stream\":true,\"messages\":[" + prompt + "]}"))
        .contains("First.", "tool_calls", "[DONE]");
    assertThat(
            post(
                "/v1/chat/completions",
                "{" + TOOLS + ",\"messages\":[" + prompt + "," + calls + "]}"))
        .startsWith("{")
        .contains("Last.", "\"stop\"");
  }

  @Test
  void recalledText_namesNoScript() throws Exception {
    String prompt =
        "{\"role\":\"user\",\"content\":\"do play-one\\nrecalled| we did play-two\\n"
            + "<system-reminder>play-three</system-reminder>\"}";

    assertThat(post("/v1/chat/completions", "{" + TOOLS + ",\"messages\":[" + prompt + "]}"))
        .contains("First.");
  }

  @Test
  void withoutTools_aTitleIsAsked_andTheActionIsNotRun() throws Exception {
    var runs = new AtomicInteger();
    script.before("play-one", runs::incrementAndGet);
    String request = "\"messages\":[{\"role\":\"user\",\"content\":\"play-one\"}]}";

    assertThat(post("/v1/chat/completions", "{" + request)).doesNotContain("First.");
    assertThat(runs).hasValue(0);
    var _ = post("/v1/chat/completions", "{" + TOOLS + "," + request);
    var _ = post("/v1/chat/completions", "{" + TOOLS + "," + request);
    assertThat(runs).hasValue(1);
    assertThat(model.takeTexts()).contains("play-one");
    assertThat(model.takeTexts()).isEmpty();
  }
}
