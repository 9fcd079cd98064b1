package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void configurationPage_table_isTheTableInCode() throws IOException {
    List<String> expected =
        Settings.ALL.stream()
            .map(s ->
                "| `%s` | `%s` | %s | %s |"
                    .formatted(s.key(), s.defaultText(), s.range(), s.meaning()))
            .toList();

    assertThat(
            Files.readAllLines(Path.of("../docs/configuration.md")).stream()
                .filter(line -> line.startsWith("| `")))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void everySetting_itsDefault_isInItsRange() {
    assertThat(Settings.ALL).allSatisfy(s -> assertThat(s.parse(s.defaultText())).isNotNull());
  }

  @Test
  void everySetting_itsVariable_isItsOwn() {
    assertThat(Settings.ALL.stream().map(Setting::variable)).doesNotHaveDuplicates();
  }
}
