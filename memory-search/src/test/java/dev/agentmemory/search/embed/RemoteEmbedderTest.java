package dev.agentmemory.search.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.testkit.provider.ModelRequest;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteEmbedderTest {

  private static final String KEY = "sk-very-secret";

  private final StubProvider server = StubProvider.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private RemoteEmbedder embedder(Provider api, OptionalInt dimension, Duration timeout) {
    URI base = api == Provider.OPENAI ? server.openAi() : server.ollama();
    return new RemoteEmbedder(
        new ModelEndpoint(api, "small", Optional.of(base), Optional.of(KEY + "\n"), timeout),
        dimension);
  }

  private RemoteEmbedder embedder(Provider api) {
    return embedder(api, OptionalInt.empty(), Duration.ofSeconds(20));
  }

  private static String failure(RemoteEmbedder embedder) {
    try {
      embedder.documents(List.of("one", "two"));
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.MODEL_UNAVAILABLE);
      assertThat(e).hasMessageNotContaining(KEY).hasNoCause();
      return Objects.requireNonNull(e.getMessage());
    }
    throw new AssertionError("no failure");
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "OLLAMA"})
  void vectors_comeInTheOrderOfTheTexts_ofLengthOne(Provider api) {
    server.demandKey(KEY);
    try (RemoteEmbedder embedder = embedder(api)) {
      List<float[]> found = embedder.documents(List.of("red red red", "blue", "red"));
      assertThat(found).hasSize(3);
      assertThat(found.get(0)).isEqualTo(found.get(2)).isNotEqualTo(found.get(1));
      assertThat(found.get(2)).isEqualTo(embedder.query("red"));
      double squares =
          IntStream.range(0, 16).mapToDouble(i -> found.get(1)[i] * found.get(1)[i]).sum();
      assertThat(squares).isBetween(0.9999, 1.0001);
      assertThat(embedder.dimension()).isEqualTo(16);
      assertThat(embedder.model()).isEqualTo(api.id() + "/small");
    }
  }

  @Test
  void openAi_isAskedInItsWords() {
    try (RemoteEmbedder embedder =
        embedder(Provider.OPENAI, OptionalInt.of(8), Duration.ofSeconds(20))) {
      assertThat(embedder.dimension()).isEqualTo(8);
      assertThat(server.calls()).isZero();
      assertThat(embedder.query(" ")).hasSize(8);
      ModelRequest request = server.last();
      assertThat(request.path()).isEqualTo("/v1/embeddings");
      assertThat(request.value("/model")).contains("small");
      assertThat(request.value("/encoding_format")).contains("float");
      assertThat(request.value("/dimensions")).contains("8");
      assertThat(request.inputs()).containsExactly("-");
      assertThat(request.header("Authorization")).contains("Bearer " + KEY);
    }
  }

  @Test
  void ollama_isAskedInItsWords() {
    try (RemoteEmbedder embedder = embedder(Provider.OLLAMA)) {
      embedder.query("one");
      assertThat(server.last().path()).isEqualTo("/api/embed");
      assertThat(server.last().value("/truncate")).contains("true");
      assertThat(server.last().value("/dimensions")).isEmpty();
    }
  }

  @Test
  void longTextsAndBatches_areCut() {
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      List<String> texts = IntStream.range(0, 150).mapToObj(i -> "text " + i).toList();
      assertThat(embedder.documents(texts)).hasSize(150);
      assertThat(server.requests().stream().map(request -> request.inputs().size()))
          .containsExactly(64, 64, 22);
      embedder.query("x" + "😀".repeat(5000));
      assertThat(server.last().inputs().getFirst()).hasSize(2000).endsWith("?");
      assertThat(embedder.documents(List.of())).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401, refused the key",
    "403, refused the key",
    "404, no such model",
    "400, refused the request",
    "302, refused the request",
    "429, rate-limiting",
    "500, failed",
    "503, failed"
  })
  void refusal_isOneSentence_andIsNotTriedAgain(int status, String words) {
    server.usually(StubReply.error(status, "bad key " + KEY, Map.of("Location", "/elsewhere")));
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      assertThat(failure(embedder))
          .contains(words, "HTTP " + status, "openai/small", "127.0.0.1")
          .doesNotContain("\n");
      assertThat(server.calls()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":[]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1,2]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[0]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1e999]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[\"NaN\"]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1,1]}]}",
        "{\"data\":[{},{}]}",
        "[]",
        "null",
        "",
        "<html>not here</html>"
      })
  void nonsense_isRefused(String body) {
    server.usually(new StubReply.Plain(200, Map.of(), body));
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      assertThat(failure(embedder)).contains("returned");
    }
  }

  @Test
  void vectorTooLongForTheIndex_saysWhatToDo() {
    String numbers = String.join(",", IntStream.range(0, 1536).mapToObj(i -> "1").toList());
    String one = "{\"embedding\":[" + numbers + "]}";
    server.usually(new StubReply.Plain(200, Map.of(), "{\"data\":[" + one + "," + one + "]}"));
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      assertThat(failure(embedder)).contains("1536", "1024", "dimension");
    }
  }

  @Test
  void otherDimensionThanSet_isRefused() {
    String body = "{\"embeddings\":[[1,0],[0,1]]}";
    server.usually(new StubReply.Plain(200, Map.of(), body));
    try (RemoteEmbedder embedder =
        embedder(Provider.OLLAMA, OptionalInt.of(3), Duration.ofSeconds(20))) {
      assertThat(failure(embedder)).contains("2 numbers instead of 3");
    }
  }

  @Test
  void brokenConnection_isSaid() {
    server.usually(new StubReply.Break());
    try (RemoteEmbedder embedder = embedder(Provider.OLLAMA)) {
      assertThat(failure(embedder)).contains("closed the connection");
    }
  }

  @Test
  void silence_endsWithTheTimeout() {
    for (StubReply reply : Arrays.asList(new StubReply.Hang(), new StubReply.Stall())) {
      server.usually(reply);
      try (RemoteEmbedder embedder =
          embedder(Provider.OPENAI, OptionalInt.empty(), Duration.ofMillis(300))) {
        assertThat(failure(embedder)).contains("within 300 ms");
      }
    }
  }

  @Test
  void nobodyThere_isSaid() {
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      server.close();
      assertThat(failure(embedder)).contains("cannot be reached");
      assertThatThrownBy(embedder::dimension).hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void interrupt_endsTheRequest() {
    server.usually(new StubReply.Hang());
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      Thread.currentThread().interrupt();
      assertThat(failure(embedder)).contains("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void answerLargerThanAny_isSaid() {
    server.usually(new StubReply.Plain(200, Map.of(), " ".repeat(33 << 20)));
    try (RemoteEmbedder embedder = embedder(Provider.OPENAI)) {
      assertThat(failure(embedder)).contains("too large a response");
    }
  }

  @Test
  void dimensionOutOfRange_isRefused() {
    for (int dimension : new int[] {0, 1025}) {
      assertThatThrownBy(
              () -> embedder(Provider.OPENAI, OptionalInt.of(dimension), Duration.ofSeconds(1)))
          .hasMessageContaining("1..1024");
    }
  }
}
