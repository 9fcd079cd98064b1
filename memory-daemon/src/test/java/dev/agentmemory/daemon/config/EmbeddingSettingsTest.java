package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which model gives vectors, with which key, and that nobody ever sees the key.
class EmbeddingSettingsTest {

  private static final String KEY = "verysecret";

  private static EmbeddingConfig load(Map<String, String> environment, String... settings) {
    return ConfigLoader.load(
            Path.of("/data"), List.of(SettingSource.flags(Arrays.asList(settings))), environment)
        .engine()
        .embedding();
  }

  private static String refusal(Map<String, String> environment, String... settings) {
    return String.valueOf(
        assertThatExceptionOfType(MemoryException.class)
            .isThrownBy(() -> load(environment, settings))
            .actual()
            .getMessage());
  }

  @Test
  void nothingSet_isTheModelInsideTheDaemonOnHalfOfTheCores() {
    EmbeddingConfig config = load(Map.of());
    assertThat(config.provider()).isEqualTo(EmbeddingConfig.Provider.LOCAL);
    assertThat(config.model()).isEmpty();
    assertThat(config.threads()).isBetween(1, 16);
  }

  @Test
  void server_hasItsModelAndItsOwnKey() {
    Map<String, String> environment = Map.of("OPENAI_API_KEY", KEY, "MINE", "mine");
    EmbeddingConfig openai = load(environment, "search.embeddings=openai");
    assertThat(openai.model()).contains("text-embedding-3-small");
    assertThat(EmbeddingConfig.MODEL.meaning())
        .contains(openai.model().orElseThrow() + " (openai)");
    assertThat(openai.dimension()).contains(768);
    assertThat(openai.key()).contains(KEY);
    assertThat(openai.toString()).doesNotContain(KEY);
    assertThat(load(environment, "search.embeddings=ollama").key()).isEmpty();
    assertThat(
            load(
                    environment,
                    "search.embeddings=openai",
                    "search.embedding_api_base_url=http://127.0.0.1:8080/v1")
                .key())
        .as("the key that is meant for OpenAI, at another address")
        .isEmpty();
    assertThat(
            load(
                    environment,
                    "search.embeddings=openai",
                    "search.embedding_api_base_url=http://127.0.0.1:8080/v1",
                    "search.embedding_api_key_env=MINE")
                .key())
        .contains("mine");
  }

  @Test
  void key_notSet_isRefusedNamingVariableAndRemedy() {
    assertThat(refusal(Map.of(), "search.embeddings=openai"))
        .isEqualTo(
            "--set search.embeddings: openai needs a key, and the environment variable"
                + " OPENAI_API_KEY is not set; set it where `memory start` runs, or set"
                + " search.embedding_api_key_env to the name of the variable that holds the key,"
                + " or set"
                + " search.embeddings to local, which needs none");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "search.embedding_model=other",
        "search.embedding_api_base_url=http://localhost:1",
        "search.embedding_dimension=64"
      })
  void whatIsMeantForAServer_withoutOne_isRefused(String setting) {
    assertThat(refusal(Map.of(), setting))
        .isEqualTo(
            "--set "
                + setting.substring(0, setting.indexOf('='))
                + ": has no effect with search.embeddings local; omit it, or set"
                + " search.embeddings to openai or ollama");
    assertThat(load(Map.of(), setting, "search.embeddings=ollama").asksAServer()).isTrue();
  }

  @Test
  void key_inThePlaceOfItsVariable_isNotShown() {
    assertThat(refusal(Map.of(), "search.embeddings=openai", "search.embedding_api_key_env=" + KEY))
        .contains("the name of an environment variable")
        .doesNotContain(KEY);
  }
}
