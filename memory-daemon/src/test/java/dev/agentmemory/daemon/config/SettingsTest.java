package dev.agentmemory.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.Setting;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.service.RpcConfig;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");
  private static final String BEGIN = "<!-- begin of the generated table -->\n\n";
  private static final String END = "\n<!-- end of the generated table -->";

  /// Property that makes the test write the table.
  private static final String UPDATE = "settings.update";

  @Test
  void configurationPage_table_isThatOfTheDeclarations() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    String generated = page.substring(0, from) + table() + page.substring(page.indexOf(END));
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(PAGE, generated);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "the table in docs/configuration.md is generated: mvn -B -q -pl memory-daemon -am test"
                + " -Dtest=SettingsTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
            UPDATE)
        .isEqualTo(generated);
  }

  private static String table() {
    return Settings.ALL.stream()
        .map(s ->
            "| `%s` | `%s` | %s | %s |\n"
                .formatted(s.key(), s.defaultText(), s.range(), s.meaning()))
        .collect(
            Collectors.joining(
                "", "| Key | Default | Values | Meaning |\n| --- | --- | --- | --- |\n", ""));
  }

  @Test
  void everySetting_thatARecordDeclares_canBeSet() {
    assertThat(
            Stream.concat(
                    records(DaemonConfig.class),
                    Stream.of(RpcConfig.class, GatewayConfig.class, PostgresConfig.class))
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .filter(field -> field.getType() == Setting.class)
                .map(SettingsTest::setting))
        .containsExactlyInAnyOrderElementsOf(Settings.ALL);
  }

  /// A record and those that it has as components.
  private static Stream<Class<?>> records(Class<?> type) {
    return Stream.concat(
        Stream.of(type),
        Stream.of(type.getRecordComponents())
            .map(RecordComponent::getType)
            .filter(Class::isRecord)
            .flatMap(SettingsTest::records));
  }

  private static Setting<?> setting(Field field) {
    try {
      field.setAccessible(true);
      return (Setting<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
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
