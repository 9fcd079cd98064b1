package dev.agentmemory.cli.process;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where the data is when nobody says so.
public final class DataPlace {

  private static final String NAME = "agent-memory";

  private DataPlace() {}

  /// The flag, else `MEMORY_DATA`, else the platform's place for a user's data.
  ///
  /// @param os name of the operating system, as Java tells it
  /// @param home the user's home
  public static Path resolve(
      Optional<Path> flag, Map<String, String> environment, String os, Path home) {
    return flag.or(() -> path(environment, "MEMORY_DATA"))
        .orElseGet(() -> platform(environment, os, home))
        .toAbsolutePath()
        .normalize();
  }

  private static Path platform(Map<String, String> environment, String os, Path home) {
    if (os.toLowerCase(Locale.ROOT).startsWith("mac")) {
      return home.resolve("Library/Application Support").resolve(NAME);
    }
    // The XDG specification says that a relative path is to be ignored.
    return path(environment, "XDG_DATA_HOME")
        .filter(Path::isAbsolute)
        .orElseGet(() -> home.resolve(".local/share"))
        .resolve(NAME);
  }

  private static Optional<Path> path(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(s -> !s.isBlank()).map(Path::of);
  }
}
