package dev.agentmemory.cli.process;

import dev.agentmemory.types.MemoryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The default data directory.
public final class DataPlace {

  private static final String NAME = "agent-memory";

  private DataPlace() {}

  /// The flag, else `MEMORY_DATA`, else the platform's directory for user data.
  ///
  /// @param os name of the operating system, as Java reports it
  /// @param home the user's home
  public static Path resolve(
      Optional<Path> flag, Map<String, String> environment, String os, Path home) {
    return flag.or(() -> path(environment, "MEMORY_DATA"))
        .orElseGet(() -> platform(environment, os, home))
        .toAbsolutePath()
        .normalize();
  }

  /// The place itself, in which there may be nothing yet.
  ///
  /// @throws MemoryException `INVALID_FIELD` when it is a file
  public static Path directory(Path place) {
    if (Files.exists(place) && !Files.isDirectory(place)) {
      throw MemoryException.invalid(
          "--data", place + " is not a directory; give the path of a directory");
    }
    return place;
  }

  private static Path platform(Map<String, String> environment, String os, Path home) {
    if (os.toLowerCase(Locale.ROOT).startsWith("mac")) {
      return home.resolve("Library/Application Support").resolve(NAME);
    }
    // The XDG specification requires that a relative path is ignored.
    return path(environment, "XDG_DATA_HOME")
        .filter(Path::isAbsolute)
        .orElseGet(() -> home.resolve(".local/share"))
        .resolve(NAME);
  }

  private static Optional<Path> path(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(s -> !s.isBlank()).map(Path::of);
  }
}
