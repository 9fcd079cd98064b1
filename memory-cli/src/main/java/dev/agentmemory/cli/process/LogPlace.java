package dev.agentmemory.cli.process;

import java.nio.file.Path;

/// Where the files of a daemon's log are.
public final class LogPlace {

  private LogPlace() {}

  /// The folder of all of them.
  public static Path folder(Path data) {
    return data.resolve("logs");
  }

  /// The one that is written to; older ones are `daemon.1.log` and so on beside it.
  public static Path file(Path data) {
    return folder(data).resolve("daemon.log");
  }

  /// What a daemon in the background prints besides its log: why it did not start, or how the Java
  /// machine died.
  public static Path output(Path data) {
    return folder(data).resolve("daemon.out");
  }
}
