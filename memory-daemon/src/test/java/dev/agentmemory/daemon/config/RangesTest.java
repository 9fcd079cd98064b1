package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the table allows can be built, and what it refuses is refused by name.
class RangesTest {

  private static final String BETWEEN = " to ";

  static Stream<Setting<?>> ranged() {
    return Settings.ALL.stream().filter(setting -> setting.range().contains(BETWEEN));
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

  private static DaemonConfig load(Setting<?> setting, String value) {
    return ConfigLoader.load(
        Path.of("/data"),
        List.of(Source.environment(Map.of()), Source.flags(List.of(setting.key() + "=" + value))));
  }

  private static String least(Setting<?> setting) {
    return setting.range().substring(0, setting.range().indexOf(BETWEEN));
  }

  private static String most(Setting<?> setting) {
    return setting.range().substring(setting.range().indexOf(BETWEEN) + BETWEEN.length());
  }

  private static String moved(String bound, int step) {
    boolean duration = bound.matches("\\d+[smhd]");
    return duration
        ? Readers.parseDuration(bound).toMillis() + step + "ms"
        : Long.toString(Readers.parseSize(bound) + step);
  }
}
