package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.spi.SystemServices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {

  private static final String KEY = "verysecret";

  @TempDir private Path folder;
  private Path own;

  @BeforeEach
  void writeTheUsersFile() throws IOException {
    own = folder.resolve("xdg/agent-memory/config.toml");
    Files.createDirectories(own.getParent());
    Files.writeString(own, "agent_id = 'me'\n\n[toc]\nzone = 'Asia/Tokyo'\n");
  }

  @Test
  void show_valuesFromEverywhere_namesThePlaceOfEach() {
    Said said = run("config", "show", "--data", "/somewhere", "--port", "7");

    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(said.out().lines().map(line -> line.replaceAll("\\s+", " ")))
        .contains(
            "db_path db default",
            "grpc_port 7 --port",
            "agent_id me " + own + ":1",
            "toc.zone Asia/Tokyo " + own + ":4",
            "log_level debug MEMORY_LOG_LEVEL",
            "data directory /somewhere",
            "user file " + own);
  }

  @Test
  void show_json_isOneObject() throws IOException {
    Said said = run("config", "show", "--json", "--data", "/somewhere");

    JsonNode json = new JsonMapper().readTree(said.out());
    assertThat(json.path("data").asText()).isEqualTo("/somewhere");
    assertThat(json.path("user_file").asText()).isEqualTo(own.toString());
    assertThat(json.path("settings"))
        .contains(
            new JsonMapper()
                .createObjectNode()
                .put("key", "agent_id")
                .put("value", "me")
                .put("source", own + ":1"));
  }

  @Test
  void show_withoutTheUsersFile_readsTheNamedOneOnly() throws IOException {
    Path named = Files.writeString(folder.resolve("named.toml"), "grpc_port = 9\n");

    Said said =
        run("config", "show", "--data", "/d", "--no-user-config", "--config", named.toString());

    assertThat(said.out().lines().map(line -> line.replaceAll("\\s+", " ")))
        .contains("grpc_port 9 " + named + ":1", "agent_id default default");
  }

  @Test
  void check_mistakesInFileAndFlag_areAllTold() throws IOException {
    Files.writeString(own, "grpc_prt = 1\n");

    assertThat(run("config", "check", "--port", "x"))
        .isEqualTo(
            new Said(
                ExitCodes.USAGE,
                "",
                """
                memory: %s:1: grpc_prt: unknown setting; did you mean grpc_port?
                memory: --port: x: expected a whole number, 0 to 65535
                """
                    .formatted(own)));
  }

  @Test
  void check_goodSettings_saysSo() {
    assertThat(run("config", "check"))
        .isEqualTo(new Said(ExitCodes.OK, "all settings are valid\n", ""));
  }

  @Test
  void checkAndStart_providerWithoutItsKey_nameTheVariable() {
    for (String command : new String[] {"config check", "start"}) {
      Said said =
          run(
              (command + " --set summarizer.provider=anthropic --data " + folder.resolve("data"))
                  .split(" "));

      assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
      assertThat(said.err())
          .startsWith("memory: --set summarizer.provider: anthropic needs a key")
          .contains("ANTHROPIC_API_KEY is not set");
    }
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void show_providerWithItsKey_showsTheVariableOnly() {
    Said said =
        run(
            "config",
            "show",
            "--set",
            "summarizer.provider=openai",
            "--set",
            "summarizer.api_key_env=MY_KEY");

    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(said.out()).containsPattern("summarizer.api_key_env +MY_KEY").doesNotContain(KEY);
    assertThat(
            run(
                "config",
                "check",
                "--set",
                "summarizer.provider=openai",
                "--set",
                "summarizer.api_key_env=MY_KEY"))
        .isEqualTo(new Said(ExitCodes.OK, "all settings are valid\n", ""));
  }

  @Test
  void start_mistakeInTheFile_isRefusedBeforeAnythingStarts() throws IOException {
    Files.writeString(own, "log_level = 'loud'\n");

    Said said = run("start", "--data", folder.resolve("data").toString());

    assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("memory: " + own + ":1: log_level: loud: expected error, ");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  private Said run(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Map<String, String> environment =
        Map.of(
            "XDG_CONFIG_HOME",
            folder.resolve("xdg").toString(),
            "MEMORY_LOG_LEVEL",
            "debug",
            "MY_KEY",
            KEY);
    var screen = new Terminal(printTo(out), printTo(err), Optional.empty(), /* colours= */ false);
    var command =
        new MemoryCommand(
            SystemServices.ofMachine(),
            screen,
            environment,
            AllCommands.with((config, _) -> assertThat(config).isNull()));
    int code = command.execute(arguments);
    screen.flush();
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static PrintStream printTo(ByteArrayOutputStream buffer) {
    return new PrintStream(buffer, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  private record Said(int code, String out, String err) {}
}
