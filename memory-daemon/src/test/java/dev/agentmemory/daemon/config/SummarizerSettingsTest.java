package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which model is asked, with which key, and that nobody ever sees the key.
class SummarizerSettingsTest {

  private static final Path DATA = Path.of("/data");
  private static final String KEY = "verysecret";

  @ParameterizedTest
  @CsvSource({
    "extractive, EXTRACTIVE, extractive",
    "openai, OPENAI, openai/gpt-4o-mini",
    "anthropic, ANTHROPIC, anthropic/claude-haiku-5-5",
    "ollama, OLLAMA, ollama/llama3.2",
    "local, OLLAMA, ollama/llama3.2"
  })
  void provider_alone_hasItsModel(String word, SummarizerConfig.Provider provider, String name) {
    SummarizerConfig config =
        load(
            Map.of("OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", "b"), "summarizer.provider=" + word);

    assertThat(config.provider()).isEqualTo(provider);
    assertThat(config.name()).isEqualTo(name);
    config
        .model()
        .ifPresent(model ->
            assertThat(described("summarizer.model"))
                .contains(model + " (" + provider.word() + ")"));
    assertThat(config.asksAModel()).isEqualTo(provider != SummarizerConfig.Provider.EXTRACTIVE);
  }

  private static String described(String key) {
    return Settings.ALL.stream()
        .filter(setting -> setting.key().equals(key))
        .findFirst()
        .orElseThrow()
        .meaning();
  }

  @Test
  void key_ofEachProvider_isThatOfItsOwnVariable() {
    Map<String, String> both = Map.of("OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", " b\n");

    assertThat(load(both, "summarizer.provider=openai").key()).contains("a");
    assertThat(load(both, "summarizer.provider=anthropic").key()).contains("b");
    assertThat(load(both, "summarizer.provider=ollama").key()).isEmpty();
    assertThat(load(both, "summarizer.provider=extractive").key()).isEmpty();
  }

  @Test
  void key_variableNamed_isReadThere() {
    Map<String, String> environment = Map.of("OPENAI_API_KEY", "a", "MY_KEY", "mine");

    for (String provider : List.of("openai", "anthropic", "ollama")) {
      assertThat(
              load(environment, "summarizer.provider=" + provider, "summarizer.api_key_env=MY_KEY")
                  .key())
          .contains("mine");
    }
  }

  @Test
  void key_openaiAtAnotherAddress_isNotSentThereUnlessNamed() {
    Map<String, String> environment = Map.of("OPENAI_API_KEY", "a", "MY_KEY", "mine");
    String provider = "summarizer.provider=openai";
    String address = "summarizer.api_base_url=http://127.0.0.1:8080/v1";

    assertThat(load(environment, provider, address).key()).isEmpty();
    assertThat(load(Map.of(), provider, address).key()).isEmpty();
    assertThat(load(environment, provider, address, "summarizer.api_key_env=MY_KEY").key())
        .contains("mine");
  }

  @Test
  void key_notSet_isRefusedNamingVariableAndRemedy() {
    assertThat(refusal(Map.of(), "summarizer.provider=openai"))
        .isEqualTo(
            "--set summarizer.provider: openai needs a key, and the environment variable"
                + " OPENAI_API_KEY is not set; set it where `memory start` runs, or set"
                + " summarizer.api_key_env to the name of the variable that holds the key, or set"
                + " summarizer.provider to extractive, which needs none");
    assertThat(refusal(Map.of("ANTHROPIC_API_KEY", "  "), "summarizer.provider=anthropic"))
        .contains("ANTHROPIC_API_KEY is not set");
    assertThat(
            refusal(
                Map.of("OPENAI_API_KEY", "a"),
                "summarizer.provider=openai",
                "summarizer.api_key_env=MY_KEY"))
        .startsWith("--set summarizer.api_key_env: openai needs a key")
        .contains("MY_KEY is not set");
  }

  @Test
  void key_notSet_isToldWithTheOtherMistakes() {
    assertThat(refusal(Map.of(), "summarizer.provider=openai", "grpc_port=x").lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("--set grpc_port: x"))
        .anyMatch(line -> line.contains("OPENAI_API_KEY is not set"));
  }

  @Test
  void key_ofMisspeltVariableName_isOneMistake() {
    assertThat(
            refusal(Map.of(), "summarizer.provider=openai", "summarizer.api_key_env=my-key")
                .lines())
        .singleElement()
        .asString()
        .startsWith("--set summarizer.api_key_env: expected the name of an environment variable");
  }

  @Test
  void keyInPlaceOfItsVariablesName_isNotShown() {
    assertThat(
            refusal(
                Map.of(),
                "summarizer.provider=openai",
                "summarizer.api_key_env=AKIAABCDEFGH12345678"))
        .contains("needs a key")
        .doesNotContain("ABCDEFGH");
  }

  @Test
  void key_thatCannotBeSent_isRefusedWithoutShowingIt() {
    for (String broken : List.of(KEY + " " + KEY, KEY + "\n" + KEY, KEY + "é")) {
      assertThat(refusal(Map.of("OPENAI_API_KEY", broken), "summarizer.provider=openai"))
          .contains("OPENAI_API_KEY does not hold a valid key")
          .doesNotContain(KEY);
    }
  }

  @Test
  void key_notAskedFor_whereNobodyAsksTheProvider() {
    List<SettingSource> sources =
        List.of(SettingSource.flags(List.of("summarizer.provider=openai")));

    assertThat(ConfigLoader.load(DATA, sources).engine().summarizer().key()).isEmpty();
    assertThat(ConfigLoader.explain(DATA, sources)).hasSameSizeAs(Settings.ALL);
  }

  @Test
  void extractive_withEverythingElseSet_needsNoKey() {
    SummarizerConfig config =
        load(
            Map.of(),
            "summarizer.model=gpt-4o",
            "summarizer.api_key_env=MY_KEY",
            "summarizer.api_base_url=https://localhost/v1",
            "summarizer.max_output_tokens=100000");

    assertThat(config.provider()).isEqualTo(SummarizerConfig.Provider.EXTRACTIVE);
    assertThat(config.key()).isEmpty();
    assertThat(config.name()).isEqualTo("extractive");
  }

  @Test
  void toString_ofAll_showsNoSecret() {
    DaemonConfig config =
        ConfigLoader.load(
            DATA,
            List.of(
                SettingSource.flags(
                    List.of(
                        "summarizer.provider=openai",
                        "summarizer.api_key_env=MY_KEY",
                        "summarizer.api_base_url=https://me:" + KEY + "@localhost/v1"))),
            Map.of("MY_KEY", KEY));

    assertThat(config.engine().summarizer().key()).contains(KEY);
    assertThat(config.toString()).contains("openai/gpt-4o-mini").doesNotContain(KEY);
  }

  @Test
  void answer_ofMoreThanHalfTheWindow_isRefused_ofHalfIsTaken() {
    String provider = "summarizer.provider=ollama";

    assertThat(
            load(
                    Map.of(),
                    provider,
                    "summarizer.max_output_tokens=1024",
                    "summarizer.context_tokens=2048")
                .limits()
                .contextTokens())
        .isEqualTo(2048);
    assertThat(
            refusal(
                Map.of(),
                provider,
                "summarizer.max_output_tokens=1025",
                "summarizer.context_tokens=2048"))
        .isEqualTo(
            "--set summarizer.max_output_tokens: 1025 tokens of an answer leave too little space in"
                + " 2048 of summarizer.context_tokens: expected half of these at most");
    assertThat(refusal(Map.of(), provider, "summarizer.context_tokens=1024"))
        .startsWith("--set summarizer.context_tokens: 1000 tokens of an answer");
  }

  private static String refusal(Map<String, String> environment, String... flags) {
    return String.valueOf(
        assertThatExceptionOfType(MemoryException.class)
            .isThrownBy(() -> load(environment, flags))
            .actual()
            .getMessage());
  }

  private static SummarizerConfig load(Map<String, String> environment, String... flags) {
    return ConfigLoader.load(
            DATA,
            List.of(
                SettingSource.environment(environment), SettingSource.flags(Arrays.asList(flags))),
            environment)
        .engine()
        .summarizer();
  }
}
