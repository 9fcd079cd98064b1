package dev.agentmemory.daemon.config;

import java.util.Objects;

/// What a daemon's log says and where.
///
/// @param level how much it says
/// @param toFile whether it goes to `logs/daemon.log` in the data directory instead of the output
/// @param fileBytes size at which a file of the log is put aside, at least 64 KiB
/// @param files how many files are kept, the one that is written to among them; 2 to 20
public record LogConfig(LogLevel level, boolean toFile, long fileBytes, int files) {

  /// What holds where nothing else is said.
  public static final LogConfig DEFAULT = new LogConfig(LogLevel.INFO, false, 10L << 20, 5);

  public LogConfig {
    Objects.requireNonNull(level, "level");
    if (fileBytes < 64 << 10) {
      throw new IllegalArgumentException("fileBytes under 64 KiB: " + fileBytes);
    }
    if (files < 2 || files > 20) {
      throw new IllegalArgumentException("files outside 2..20: " + files);
    }
  }
}
