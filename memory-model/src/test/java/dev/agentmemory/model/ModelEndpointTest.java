package dev.agentmemory.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelEndpointTest {

  private static ModelEndpoint endpoint(Provider provider, Optional<String> url, String key) {
    return new ModelEndpoint(
        provider, "small-1", url.map(URI::create), Optional.of(key), Duration.ofSeconds(5));
  }

  private static ModelEndpoint endpoint(String url, String key) {
    return endpoint(Provider.OPENAI, Optional.of(url), key);
  }

  @Test
  void key_isInNoTextOfTheEndpoint() {
    ModelEndpoint endpoint = endpoint("http://user:pass@host:1/v1?token=abc", ChatFixture.KEY);
    assertThat(endpoint.toString())
        .isEqualTo("ModelEndpoint[openai/small-1 at http://host:1/v1]")
        .doesNotContain(ChatFixture.KEY);
    assertThat(endpoint.server()).isEqualTo("host:1");
    assertThatThrownBy(() -> endpoint("http://host", "abc\ndef"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("abc");
  }

  @Test
  void key_fromAFile_mayEndInALineFeed() {
    assertThat(endpoint("http://host", "abc\n").key()).contains("abc");
    assertThat(endpoint("http://host", " \n").key()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, https://api.openai.com/v1/x",
    "ANTHROPIC, https://api.anthropic.com/v1/x",
    "OLLAMA, http://localhost:11434/x"
  })
  void url_withoutABaseUrl_isTheProvidersOwn(Provider provider, String url) {
    assertThat(endpoint(provider, Optional.empty(), "k").url("x")).hasToString(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://host/v1", "HTTP://host/v1/"})
  void url_hasOneSlashBeforeThePath(String base) {
    assertThat(endpoint(base, "k").url("a/b").getPath()).isEqualTo("/v1/a/b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host", "/path", "http:///x"})
  void baseUrl_thatIsNoWebAddress_isRefused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> endpoint(url, "k"))
        .withMessageContaining("http");
  }

  @Test
  void anthropic_withoutAKey_isRefused_andHasNoEmbeddings() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> endpoint(Provider.ANTHROPIC, Optional.empty(), " "))
        .withMessageContaining("needs a key");
    ModelEndpoint endpoint = endpoint(Provider.ANTHROPIC, Optional.empty(), "k");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EmbeddingClient(endpoint, OptionalInt.empty()))
        .withMessageContaining("no embeddings");
  }

  @Test
  void valuesOutOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new ModelEndpoint(
                Provider.OLLAMA, "m", Optional.empty(), Optional.empty(), Duration.ZERO))
        .withMessageContaining("timeout");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new ModelEndpoint(
                Provider.OLLAMA, " ", Optional.empty(), Optional.empty(), Duration.ofSeconds(1)))
        .withMessageContaining("model");
    ModelEndpoint endpoint = endpoint("http://host", "k");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ModelConfig(endpoint, 0, Optional.empty(), 100));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ModelConfig(endpoint, 100, Optional.empty(), 100));
  }
}
