package dev.agentmemory.cli.process;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Optional;

/// Where the packaged program is.
public final class LauncherPlace {

  private static final String HOME = "agentmemory.home";

  private LauncherPlace() {}

  /// The folder of the packaged program.
  ///
  /// @throws MemoryException `CONFLICT` when this process was not started by its launcher
  public static Path home() {
    return find()
        .orElseThrow(() ->
            new MemoryException(
                ErrorCode.CONFLICT,
                "this command needs the packaged launcher bin/memory; in a source checkout use"
                    + " ./memory"));
  }

  /// The same; empty when it was not.
  public static Optional<Path> find() {
    return Optional.ofNullable(System.getProperty(HOME)).map(Path::of).map(Path::toAbsolutePath);
  }

  static Path launcher() {
    return home().resolve("bin").resolve("memory");
  }
}
