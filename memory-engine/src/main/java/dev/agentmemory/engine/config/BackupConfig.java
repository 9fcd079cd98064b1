package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.pipeline.job.JobsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where and when backups are made.
///
/// @param directory of the job; empty turns it off
/// @param cron when the job runs
/// @param keep how many backups of a workspace the job keeps
/// @param withIndex whether the job includes the search index
/// @param bytesPerSecond how much any backup copies in a second at most
/// @param beforeUpgrade whether a store of a former format is backed up before it is written to
/// @param keyFile the key of all backups that name no other one; empty when these are not encrypted
public record BackupConfig(
    Optional<Path> directory,
    String cron,
    int keep,
    boolean withIndex,
    long bytesPerSecond,
    boolean beforeUpgrade,
    Optional<Path> keyFile) {

  private static final Setting<Optional<Path>> DIRECTORY =
      Setting.optional("backup.directory", "an absolute path, or none", ValueParser::absolutePath)
          .describedAs(
              "Directory in which the job `backup` creates backups; `none` disables the job. Use a"
                  + " different disk than that of the data.");

  /// When the job runs.
  public static final Setting<String> CRON =
      JobsConfig.cron("jobs.backup", "30 3 * * *")
          .describedAs(
              "Schedule for backing up each workspace; not used if `backup.directory` is `none`.");

  private static final Setting<Integer> KEEP =
      Setting.whole("backup.keep", 7, "1 to 1000")
          .describedAs("Number of backups of a workspace that the job `backup` keeps.");

  private static final Setting<Boolean> INDEX =
      Setting.onOff("backup.index", false)
          .describedAs(
              "Whether the job `backup` includes the search index, which can be rebuilt from the"
                  + " events.");

  private static final Setting<Long> RATE =
      Setting.size("backup.rate", "32MiB", "1MiB to 16GiB")
          .describedAs(
              "Maximum number of bytes per second that a backup copies, which limits its effect on"
                  + " ingest.");

  private static final Setting<Boolean> BEFORE_UPGRADE =
      Setting.onOff("backup.before_upgrade", true)
          .describedAs(
              "Whether a store in an older format is backed up before this version first writes to"
                  + " it. The backup goes to `backup.directory`, else to `backups` in the data"
                  + " directory.");

  private static final Setting<Optional<Path>> KEY_FILE =
      Setting.optional("backup.key_file", "an absolute path, or none", ValueParser::absolutePath)
          .describedAs(
              "File of the key with which backups are encrypted, as `memory backup key` writes it;"
                  + " `none` leaves them unencrypted. It applies to every backup for which no other"
                  + " key file is named.");

  /// The settings of the table `backup`.
  public static final List<Setting<?>> SETTINGS =
      List.of(DIRECTORY, KEEP, INDEX, RATE, BEFORE_UPGRADE, KEY_FILE);

  public static final BackupConfig DEFAULT = from(SettingReader.DEFAULTS);

  public BackupConfig {
    KEEP.check(keep);
    RATE.check(bytesPerSecond);
  }

  public static BackupConfig from(SettingReader settings) {
    return new BackupConfig(
        settings.read(DIRECTORY),
        settings.read(CRON),
        settings.read(KEEP),
        settings.read(INDEX),
        settings.read(RATE),
        settings.read(BEFORE_UPGRADE),
        settings.read(KEY_FILE));
  }
}
