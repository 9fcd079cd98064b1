package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.daemon.config.ConfigFiles;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/// Shows what a daemon started now would be told, and by whom. Needs no daemon.
@Command(
    name = "config",
    description = "Shows the settings and where each comes from, or checks them.",
    mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {

  private final MemoryCommand memory;

  ConfigCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(this), "missing subcommand: expected show or check");
  }

  @Command(
      name = "show",
      description = "Prints each setting, its value and its source; secrets are hidden.",
      mixinStandardHelpOptions = true)
  int show(@Mixin SettingOptions options) {
    memory.say(
        new Shown(
            ConfigLoader.explain(memory.data(), options.sources(memory.environment())),
            memory.data(),
            userFile()));
    return ExitCodes.OK;
  }

  @Command(
      name = "check",
      description = "Reports invalid settings. Exit code 2 if there are any.",
      mixinStandardHelpOptions = true)
  int check(@Mixin SettingOptions options) {
    ConfigLoader.load(memory.data(), options.sources(memory.environment()), memory.environment());
    memory.say(Reply.line("all settings are valid", json -> json.flag("good", true)));
    return ExitCodes.OK;
  }

  private Path userFile() {
    return ConfigFiles.userFile(
        memory.environment(), System.getProperty("os.name", ""), SettingOptions.home());
  }

  private record Shown(List<SettingValue> values, Path data, Path userFile) implements Reply {

    @Override
    public void print(Terminal screen) {
      int keys = values.stream().mapToInt(value -> value.key().length()).max().orElse(0);
      int texts = values.stream().mapToInt(value -> value.value().length()).max().orElse(0);
      for (SettingValue value : values) {
        String row =
            ("%-" + keys + "s  %-" + texts + "s  %s")
                .formatted(value.key(), value.value(), value.source());
        screen.line(value.isDefault() ? row : screen.styled(Style.BOLD, row));
      }
      screen.line();
      screen.line("data directory   " + data);
      screen.line("user file        " + userFile + (Files.exists(userFile) ? "" : " (none)"));
    }

    @Override
    public void write(JsonWriter json) {
      json.text("data", data.toString())
          .text("user_file", userFile.toString())
          .list(
              "settings",
              values,
              value ->
                  json.text("key", value.key())
                      .text("value", value.value())
                      .text("source", value.source()));
    }
  }
}
