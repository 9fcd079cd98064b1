package dev.agentmemory.daemon.command;

import dev.agentmemory.daemon.config.ConfigFiles;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.service.RpcConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The options that say what is set, for all commands that read settings.
final class SettingOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read this TOML file; it overrides the user's config.toml.")
  private Optional<String> file = Optional.empty();

  @Option(names = "--no-user-config", description = "Ignore the user's config.toml.")
  private boolean withoutUserFile;

  @Option(
      names = "--port",
      paramLabel = "N",
      description =
          "Port to listen on; 0 selects a free port (default: " + RpcConfig.DEFAULT_PORT + ").")
  private Optional<String> port = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set a setting, such as toc.zone=Europe/Paris; can be repeated.")
  private List<String> settings = List.of();

  /// All places that settings come from, in rising precedence.
  List<SettingSource> sources(Map<String, String> environment) {
    List<SettingSource> sources = new ArrayList<>();
    if (!withoutUserFile) {
      sources.add(ConfigFiles.ofUser(environment, System.getProperty("os.name", ""), home()));
    }
    file.ifPresent(path -> sources.add(ConfigFiles.named("--config", path)));
    sources.add(SettingSource.environment(environment));
    sources.add(SettingSource.flags(settings));
    port.ifPresent(
        number -> sources.add(SettingSource.flag("--port", RpcConfig.PORT.key(), number)));
    return sources;
  }

  /// The same options for another command line.
  List<String> flags() {
    List<String> flags = new ArrayList<>();
    if (withoutUserFile) {
      flags.add("--no-user-config");
    }
    file.ifPresent(path -> flags.addAll(List.of("--config", path)));
    settings.forEach(assignment -> flags.addAll(List.of("--set", assignment)));
    port.ifPresent(number -> flags.addAll(List.of("--port", number)));
    return flags;
  }

  static Path home() {
    return Path.of(System.getProperty("user.home", "."));
  }
}
