package dev.agentmemory.daemon.config;

import dev.agentmemory.config.ValueParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The files that settings are read from.
public final class ConfigFiles {

  private static final String NAME = "config.toml";

  private ConfigFiles() {}

  /// A file that the user names; it must exist.
  ///
  /// @param place how it was named, such as `--config`
  /// @param path `~/` is the home
  public static SettingSource named(String place, String path) {
    Path file;
    try {
      file = ValueParser.path(path.strip()).toAbsolutePath().normalize();
    } catch (IllegalArgumentException e) {
      return SettingSource.broken(place + ": " + path + ": " + e.getMessage());
    }
    return Files.notExists(file)
        ? SettingSource.broken(place + ": " + file + ": there is no such file")
        : TomlFile.read(file);
  }

  /// The user's own file, if there is one.
  ///
  /// @param os name of the operating system, as Java tells it
  /// @param home the user's home
  public static SettingSource ofUser(Map<String, String> environment, String os, Path home) {
    Path file = userFile(environment, os, home);
    return Files.notExists(file) ? SettingSource.NOTHING : TomlFile.read(file);
  }

  /// Where the user's own file is or would be: `~/.config/agent-memory/config.toml`, on macOS and
  /// Windows in their places for such files.
  public static Path userFile(Map<String, String> environment, String os, Path home) {
    return folder(environment, os.toLowerCase(Locale.ROOT), home)
        .resolve("agent-memory")
        .resolve(NAME)
        .toAbsolutePath();
  }

  private static Path folder(Map<String, String> environment, String os, Path home) {
    if (os.startsWith("mac")) {
      return home.resolve("Library").resolve("Application Support");
    }
    List<String> windows = List.of("AppData", "Roaming");
    return os.startsWith("windows")
        ? folder(environment, "APPDATA").orElseGet(() -> below(home, windows))
        : folder(environment, "XDG_CONFIG_HOME").orElseGet(() -> home.resolve(".config"));
  }

  private static Path below(Path home, List<String> names) {
    return names.stream().map(Path::of).reduce(home, Path::resolve);
  }

  /// The XDG specification says that a relative path is to be ignored.
  private static Optional<Path> folder(Map<String, String> environment, String variable) {
    return Optional.ofNullable(environment.get(variable))
        .filter(text -> !text.isBlank())
        .map(Path::of)
        .filter(Path::isAbsolute);
  }
}
