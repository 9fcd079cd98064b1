package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.util.List;

/// What a daemon's log says and where.
///
/// @param level how much it says
/// @param toFile whether it goes to `logs/daemon.log` in the data directory instead of the output
/// @param fileBytes size at which a file of the log is put aside
/// @param files how many files are kept, the one that is written to among them
public record LogConfig(LogLevel level, boolean toFile, long fileBytes, int files) {

  private static final Setting<LogLevel> LEVEL =
      Setting.oneOf("log_level", LogLevel.INFO).describedAs("Minimum severity of log entries.");

  private static final Setting<Boolean> TO_FILE =
      Setting.either("log_to", "output", "file")
          .describedAs(
              "Log destination: the output of a daemon in the foreground, or `logs/daemon.log`. A"
                  + " daemon in the background always logs to the file.");

  private static final Setting<Long> FILE_SIZE =
      Setting.size("log_file_size", "10MiB", "64KiB to 1GiB")
          .describedAs("Size at which the log file is rotated.");

  private static final Setting<Integer> FILES =
      Setting.whole("log_files", 5, "2 to 20")
          .describedAs("Number of log files to keep, including the current one.");

  static final List<Setting<?>> SETTINGS = List.of(LEVEL, TO_FILE, FILE_SIZE, FILES);

  public LogConfig {
    FILE_SIZE.check(fileBytes);
    FILES.check(files);
  }

  static LogConfig from(SettingReader settings) {
    return new LogConfig(
        settings.read(LEVEL),
        settings.read(TO_FILE),
        settings.read(FILE_SIZE),
        settings.read(FILES));
  }
}
