package dev.agentmemory.engine.config;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Where and when backups are made.
///
/// @param directory of the job; empty turns it off
/// @param cron when the job runs
/// @param keep how many backups of a workspace the job keeps, 1 to 1000
/// @param withIndex whether the job includes the search index
/// @param bytesPerSecond how much any backup copies in a second at most, 1 MiB and up
/// @param beforeUpgrade whether a store of a former format is backed up before it is written to
public record BackupConfig(
    Optional<Path> directory,
    String cron,
    int keep,
    boolean withIndex,
    long bytesPerSecond,
    boolean beforeUpgrade) {

  /// What holds where nothing else is said.
  public static final BackupConfig DEFAULT =
      new BackupConfig(Optional.empty(), "30 3 * * *", 7, false, 32L << 20, true);

  public BackupConfig {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(cron, "cron");
    if (keep < 1 || keep > 1000) {
      throw new IllegalArgumentException("keep outside 1..1000: " + keep);
    }
    if (bytesPerSecond < 1 << 20) {
      throw new IllegalArgumentException("bytesPerSecond below 1 MiB: " + bytesPerSecond);
    }
  }
}
