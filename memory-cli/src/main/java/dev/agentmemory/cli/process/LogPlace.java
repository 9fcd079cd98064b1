package dev.agentmemory.cli.process;

import java.nio.file.Path;

/// The log files of a daemon.
public final class LogPlace {

  private LogPlace() {}

  /// Their folder.
  public static Path folder(Path data) {
    return data.resolve("logs");
  }

  /// The current file. Older ones are `daemon.1.log` and so on beside it.
  public static Path file(Path data) {
    return folder(data).resolve("daemon.log");
  }

  /// The output of a background daemon besides its log: why it did not start, or how the JVM
  /// crashed.
  public static Path output(Path data) {
    return folder(data).resolve("daemon.out");
  }
}
