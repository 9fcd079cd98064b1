package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What the declarations allow can be built, and what it refuses is refused by name.
class RangesTest {

  private static final String BETWEEN = " to ";

  static Stream<Setting<?>> ranged() {
    return Settings.ALL.stream().filter(setting -> setting.range().matches("\\S+ to \\S+"));
  }

  @ParameterizedTest
  @MethodSource("ranged")
  void setting_leastAndMost_buildAConfig(Setting<?> setting) {
    assertThat(load(setting, least(setting))).isNotNull();
    assertThat(load(setting, most(setting))).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("ranged")
  void setting_oneBeyond_isRefusedNamingTheKey(Setting<?> setting) {
    for (String beyond : List.of(moved(least(setting), -1), moved(most(setting), 1))) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> load(setting, beyond))
          .withMessageStartingWith("--set " + setting.key() + ": " + beyond);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "agent_id, a",
    "agent_id, 0._-",
    "db_path, stores",
    "db_path, ~/stores",
    "summarizer.provider, Ollama",
    "summarizer.provider, local",
    "summarizer.seed, 0",
    "summarizer.seed, 2147483647",
    "summarizer.seed, none",
    "summarizer.model, gpt-4.1-mini",
    "summarizer.api_key_env, _KEY_2",
    "summarizer.api_base_url, http://127.0.0.1:11434/v1",
    "agents.workspaces, none",
    "agents.workspaces, ~/shop = shop;",
    "agents.excluded, none",
    "agents.excluded, ~/secret",
    "agents.private_word, none",
    "log_level, TRACE"
  })
  void setting_goodValue_buildsAConfig(String key, String value) {
    assertThat(load(key, value)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "agent_id, Alice",
    "agent_id, .hidden",
    "agent_id, ../x",
    "db_path, .",
    "db_path, ..",
    "db_path, ~bob/stores",
    "summarizer.provider, gpt-4o-mini",
    "summarizer.seed, -1",
    "summarizer.seed, 2147483648x",
    "summarizer.model, two words",
    "summarizer.api_base_url, ftp://example.org",
    "summarizer.api_base_url, https:nohost",
    "agents.workspaces, /shop",
    "agents.workspaces, shop = shop",
    "agents.workspaces, /shop = Shop",
    "agents.workspaces, /shop = a; /shop = b",
    "agents.excluded, ;",
    "agents.excluded, secret",
    "agents.private_word, two words",
    "log_level, loud"
  })
  void setting_badValue_isRefusedNamingTheKey(String key, String value) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> load(key, value))
        .withMessageStartingWith("--set " + key + ": " + value + ": expected ");
  }

  @Test
  void agentId_ofMostLetters_isTaken_oneMoreIsNot() {
    String most = "a".repeat(64);

    assertThat(load("agent_id", most).engine().workspaces().agentId()).isEqualTo(most);
    assertThatExceptionOfType(MemoryException.class).isThrownBy(() -> load("agent_id", most + "a"));
  }

  @Test
  void dbPath_startingWithTilde_isBelowTheHome() {
    assertThat(load("db_path", "~/stores").engine().db())
        .isEqualTo(Path.of(System.getProperty("user.home"), "stores"));
  }

  @Test
  void dbPath_relative_isBelowTheDataDirectory() {
    assertThat(load("db_path", "a/../stores").engine().db()).isEqualTo(Path.of("/data/stores"));
  }

  private static DaemonConfig load(String key, String value) {
    return ConfigLoader.load(
        Path.of("/data"), List.of(SettingSource.flags(List.of(key + "=" + value))));
  }

  private static DaemonConfig load(Setting<?> setting, String value) {
    return ConfigLoader.load(
        Path.of("/data"),
        List.of(
            SettingSource.environment(Map.of()),
            SettingSource.flags(List.of(setting.key() + "=" + value))));
  }

  private static String least(Setting<?> setting) {
    return setting.range().substring(0, setting.range().indexOf(BETWEEN));
  }

  private static String most(Setting<?> setting) {
    return setting.range().substring(setting.range().indexOf(BETWEEN) + BETWEEN.length());
  }

  private static String moved(String bound, int step) {
    boolean duration = bound.matches("\\d+(ms|[smhd])");
    return duration
        ? ValueParser.duration(bound).toMillis() + step + "ms"
        : Long.toString(ValueParser.size(bound) + step);
  }
}
