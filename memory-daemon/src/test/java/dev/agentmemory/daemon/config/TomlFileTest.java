package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TomlFileTest {

  @TempDir private Path folder;

  @Test
  void read_allForms_reachTheConfig() {
    DaemonConfig config =
        load(
            """
            # A comment
            grpc_port = 4711
            agent_id = "me"
            toc.zone = "Asia/Tokyo"

            [segmentation]
            time_threshold = "1h"   # with a comment of its own
            token_threshold = 1_000

            [storage]
            block_cache = 1048576
            write_buffer = '2MiB'
            """);

    assertThat(config.port()).isEqualTo(4711);
    assertThat(config.engine().workspaces().agentId()).isEqualTo("me");
    assertThat(config.engine().storage().zone().orElseThrow()).hasToString("Asia/Tokyo");
    assertThat(config.engine().segmentation().timeThreshold()).isEqualTo(Duration.ofHours(1));
    assertThat(config.engine().segmentation().tokenThreshold()).isEqualTo(1000);
    assertThat(config.engine().storage().blockCacheBytes()).isEqualTo(1 << 20);
    assertThat(config.engine().storage().writeBufferBytes()).isEqualTo(2 << 20);
  }

  @Test
  void read_manyMistakes_areToldAtOnceWithTheirLines() {
    assertMistakes(
        """
        grpc_port = "8738"
        log_level = 3
        durabilty = "async"
        [toc]
        zone = true
        rollup_debounce = 30m
        [toc.zone2]
        [summarizer]
        api_key = "sk-abcdefghijklmnop1234"
        [ingest]
        max_clock_skew = "2d"
        max_clock_skew = "1m"
        """,
        ":1: grpc_port: expected a whole number without quotes, found text",
        ":2: log_level: expected text in quotes, found a whole number",
        ":3: durabilty: unknown setting; did you mean durability?",
        ":5: toc.zone: expected text in quotes, found true or false",
        ":6: Unexpected 'm', expected a newline or end-of-input; put text such as 30m or 64MiB in"
            + " quotes",
        ":7: toc.zone2: unknown setting; did you mean toc.zone?",
        ":9: summarizer.api_key: secrets cannot be configured; put the value into an environment"
            + " variable and set summarizer.api_key_env or search.embedding_api_key_env to its"
            + " name",
        ":11: ingest.max_clock_skew: 2d: is outside 0s to 1d",
        ":12: max_clock_skew previously defined at line 11, column 1");
  }

  @Test
  void read_brokenLines_doNotHideTheOthers() {
    assertMistakes(
        """
        [toc]
        zone = "UTC
        [segmentation
        overlap_tokens = 99999
        [ingest]
        max_clock_skew = [1, 2]
        """,
        ":2: Unexpected end of line, expected \" or a character",
        ":3: Unexpected end of line, expected ]",
        ":4: segmentation.overlap_tokens: 99999: is outside 0 to 10000",
        ":6: ingest.max_clock_skew: expected text in quotes, found a list");
  }

  @Test
  void read_keyTwiceInDifferentForms_isRefused() {
    assertMistakes(
        """
        "toc.zone" = "UTC"
        [toc]
        zone = "UTC"
        """,
        ":3: toc.zone: is set twice in this file");
  }

  @Test
  void read_keyWhereItsVariableBelongs_isRefusedWithoutShowingIt() {
    assertMistakes(
        "[summarizer]\napi_key_env = 'sk-topsecret'",
        ":2: summarizer.api_key_env: expected the name of an environment variable, such as"
            + " OPENAI_API_KEY, not the key");
  }

  @Test
  void read_byteOrderMark_isNotAMistake() {
    assertThat(load("\uFEFFgrpc_port = 1\r\n").port()).isEqualTo(1);
  }

  @Test
  void read_notUtf8_isOneClearSentence() throws IOException {
    Path file =
        Files.write(folder.resolve("config.toml"), "a = 'ä'".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(TomlFile.read(file).problems())
        .containsExactly(file + ": is not UTF-8; save it in that encoding");
  }

  @Test
  void named_missingFileAndFolder_areRefused() {
    Path missing = folder.resolve("no.toml");

    assertThat(ConfigFiles.named("--config", missing.toString()).problems())
        .containsExactly("--config: " + missing + ": there is no such file");
    assertThat(ConfigFiles.named("--config", folder.toString()).problems())
        .containsExactly(folder + ": is a directory; expected a TOML file");
  }

  @Test
  void ofUser_noFile_saysNothing() {
    assertThat(ConfigFiles.ofUser(Map.of(), "Linux", folder)).isEqualTo(SettingSource.NOTHING);
  }

  @Test
  void userFile_eachPlatform_isInItsPlace() {
    Path home = Path.of("/home/me");

    assertThat(ConfigFiles.userFile(Map.of(), "Linux", home))
        .isEqualTo(Path.of("/home/me/.config/agent-memory/config.toml"));
    assertThat(ConfigFiles.userFile(Map.of("XDG_CONFIG_HOME", "/xdg"), "Linux", home))
        .isEqualTo(Path.of("/xdg/agent-memory/config.toml"));
    assertThat(ConfigFiles.userFile(Map.of("XDG_CONFIG_HOME", "xdg"), "Linux", home))
        .isEqualTo(Path.of("/home/me/.config/agent-memory/config.toml"));
    assertThat(ConfigFiles.userFile(Map.of("XDG_CONFIG_HOME", "/xdg"), "Mac OS X", home))
        .isEqualTo(Path.of("/home/me/Library/Application Support/agent-memory/config.toml"));
    assertThat(ConfigFiles.userFile(Map.of("APPDATA", "/roaming"), "Windows 11", home))
        .isEqualTo(Path.of("/roaming/agent-memory/config.toml"));
    assertThat(ConfigFiles.userFile(Map.of(), "Windows 11", home))
        .isEqualTo(Path.of("/home/me/AppData/Roaming/agent-memory/config.toml"));
  }

  @Test
  void load_allPlaces_theNearerOneWins() throws IOException {
    Path user = write("user.toml", "grpc_port = 1\nagent_id = 'user'\nlog_level = 'warn'\n");
    Path named = write("named.toml", "grpc_port = 2\nagent_id = 'named'\n");
    List<SettingSource> sources =
        List.of(
            TomlFile.read(user),
            ConfigFiles.named("--config", named.toString()),
            SettingSource.environment(Map.of("MEMORY_GRPC_PORT", "3")),
            SettingSource.flags(List.of("grpc_port=4")),
            SettingSource.flag("--port", "grpc_port", "5"));

    assertThat(shown(sources, 5)).isEqualTo("5 from --port");
    assertThat(shown(sources, 4)).isEqualTo("4 from --set grpc_port");
    assertThat(shown(sources, 3)).isEqualTo("3 from MEMORY_GRPC_PORT");
    assertThat(shown(sources, 2)).isEqualTo("2 from " + named + ":1");
    assertThat(shown(sources, 1)).isEqualTo("1 from " + user + ":1");
    assertThat(shown(sources, 0)).isEqualTo("8738 from default");
    DaemonConfig config = ConfigLoader.load(folder, sources);
    assertThat(config.engine().workspaces().agentId()).isEqualTo("named");
    assertThat(config.log().level()).isEqualTo(LogLevel.WARN);
  }

  @Test
  void load_badValueThatIsOverruled_isToldAllTheSame() throws IOException {
    Path user = write("user.toml", "grpc_port = 70000\n");

    Assertions.assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            ConfigLoader.load(
                folder,
                List.of(TomlFile.read(user), SettingSource.flag("--port", "grpc_port", "5"))))
        .withMessage(user + ":1: grpc_port: 70000: is outside 0 to 65535");
  }

  @Test
  void explain_addressWithPassword_hidesIt() throws IOException {
    Path file =
        write(
            "secret.toml",
            "summarizer.api_base_url = 'https://me:hush@example.org/v1?key=hush&x=1'\n");

    assertThat(ConfigLoader.explain(folder, List.of(TomlFile.read(file))))
        .contains(
            new SettingValue(
                "summarizer.api_base_url",
                "https://***@example.org/v1?key=***&x=***",
                file + ":1"));
  }

  private String shown(List<SettingSource> sources, int count) {
    return ConfigLoader.explain(folder, sources.subList(0, count)).stream()
        .filter(value -> value.key().equals("grpc_port"))
        .map(value -> value.value() + " from " + value.source())
        .findFirst()
        .orElseThrow();
  }

  private void assertMistakes(String toml, String... mistakes) {
    Assertions.assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> load(toml))
        .satisfies(e ->
            assertThat(String.valueOf(e.getMessage()).lines())
                .containsExactlyInAnyOrder(
                    List.of(mistakes).stream()
                        .map(mistake -> folder.resolve("config.toml") + mistake)
                        .toArray(String[]::new)));
  }

  private DaemonConfig load(String toml) {
    try {
      return ConfigLoader.load(folder, List.of(TomlFile.read(write("config.toml", toml))));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path write(String name, String toml) throws IOException {
    return Files.writeString(folder.resolve(name), toml);
  }
}
