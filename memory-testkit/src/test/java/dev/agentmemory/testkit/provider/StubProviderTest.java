package dev.agentmemory.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StubProviderTest {

  private static final String PROMPT =
      "<transcript 1>\\n[1 user] We moved the archive to Lisbon. It was late.\\n  more\\n[2 tool] ok\\n"
          + "[12 assistant] The nightly export runs again.\\n</transcript 1>";
  private static final String BODY =
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"" + PROMPT + "\"}]}";

  private final StubProvider provider = StubProvider.start();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    provider.close();
    client.close();
  }

  private static HttpRequest request(URI base, String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer k")
        .timeout(Duration.ofSeconds(20))
        .POST(BodyPublishers.ofString(BODY))
        .build();
  }

  private HttpResponse<String> ask() throws IOException, InterruptedException {
    return client.send(request(provider.openAi(), "/chat/completions"), BodyHandlers.ofString());
  }

  @Test
  void reply_toEachApi_hasItsForm() throws Exception {
    provider.usually(StubReply.says("hi"));
    JsonNode openAi = Formats.read(ask().body());
    JsonNode anthropic =
        Formats.read(
            client
                .send(request(provider.anthropic(), "/messages"), BodyHandlers.ofString())
                .body());
    JsonNode ollama =
        Formats.read(
            client.send(request(provider.ollama(), "/api/chat"), BodyHandlers.ofString()).body());
    assertThat(openAi.at("/choices/0/message/content").asText()).isEqualTo("hi");
    assertThat(openAi.at("/usage/completion_tokens").asInt()).isEqualTo(1);
    assertThat(anthropic.at("/content/0/text").asText()).isEqualTo("hi");
    assertThat(anthropic.at("/usage/input_tokens").asInt()).isPositive();
    assertThat(ollama.at("/message/content").asText()).isEqualTo("hi");
    assertThat(ollama.at("/prompt_eval_count").asInt()).isPositive();
  }

  @Test
  void requests_areKeptWithHeadersAndBody() throws Exception {
    ask();
    assertThat(provider.calls()).isEqualTo(1);
    assertThat(provider.last().header("AUTHORIZATION")).contains("Bearer k");
    assertThat(provider.last().value("/model")).contains("m");
    assertThat(provider.last().value("/nothing")).isEmpty();
    assertThat(provider.last().texts()).hasSize(1);
  }

  @Test
  void script_isFollowedInOrder_thenTheUsualReply() throws Exception {
    provider.script(
        StubReply.error(429, "slow", Map.of("Retry-After", "3")),
        new StubReply.Plain(200, Map.of(), "{"));
    provider.usually(StubReply.error(500, "down"));
    HttpResponse<String> first = ask();
    assertThat(first.statusCode()).isEqualTo(429);
    assertThat(first.headers().firstValue("Retry-After")).contains("3");
    assertThat(ask().body()).isEqualTo("{");
    assertThat(ask().statusCode()).isEqualTo(500);
    assertThat(ask().statusCode()).isEqualTo(500);
  }

  @Test
  void sensibleAnswer_quotesNumberedLinesWordForWord() throws Exception {
    String text = Formats.read(ask().body()).at("/choices/0/message/content").asText();
    JsonNode answer = Formats.read(text);
    assertThat(answer.at("/bullets/0/quote").asText()).isEqualTo("We moved the archive to Lisbon.");
    assertThat(answer.at("/bullets/0/events/0").asInt()).isEqualTo(1);
    assertThat(answer.at("/bullets/1/events/0").asInt()).isEqualTo(12);
    assertThat(answer.at("/keywords/0").asText()).isEqualTo("archive");
  }

  @Test
  void hang_isReleasedOnClose() throws Exception {
    provider.usually(new StubReply.Hang());
    HttpRequest impatient =
        HttpRequest.newBuilder(provider.openAi())
            .timeout(Duration.ofMillis(100))
            .POST(BodyPublishers.ofString(BODY))
            .build();
    assertThatThrownBy(() -> client.send(impatient, BodyHandlers.ofString()))
        .isInstanceOf(HttpTimeoutException.class);
    CompletableFuture<HttpResponse<String>> waiting =
        client.sendAsync(request(provider.openAi(), "/chat/completions"), BodyHandlers.ofString());
    provider.release();
    assertThat(waiting.join().statusCode()).isEqualTo(503);
  }

  @Test
  void key_thatIsNotTheDemandedOne_isRefused() throws Exception {
    provider.demandKey("other");
    assertThat(ask().statusCode()).isEqualTo(401);
    provider.demandKey("k");
    assertThat(ask().statusCode()).isEqualTo(200);
  }

  @Test
  void breakInTheMiddle_isAnErrorForTheClient() {
    provider.usually(new StubReply.Break());
    assertThatThrownBy(this::ask).isInstanceOf(IOException.class);
  }
}
