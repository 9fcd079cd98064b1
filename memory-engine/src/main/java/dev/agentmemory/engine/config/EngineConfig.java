package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.toc.segment.SegmentationConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The settings with which an engine is opened.
///
/// @param data the data directory
/// @param db the folder of the stores, one folder in it for each
/// @param segmentation where a session is cut
/// @param rollupDebounce how long a rollup waits for more changes
/// @param ingest what is let in
/// @param storage how the store uses disk and memory, and the zone in which days begin
/// @param database that holds the stores; empty for stores in `db`
/// @param workspaces how agents are kept apart, and how many stores may be open
/// @param summarizer which summariser writes
/// @param embedding which model gives events their vectors
/// @param jobs when the jobs run that keep the store in order
/// @param backup where and when backups are made
/// @param retention which events are kept
/// @param recall how curated memories are kept and found
public record EngineConfig(
    Path data,
    Path db,
    SegmentationConfig segmentation,
    Duration rollupDebounce,
    IngestLimits ingest,
    StorageConfig storage,
    Optional<PostgresConfig> database,
    WorkspacesConfig workspaces,
    SummarizerConfig summarizer,
    EmbeddingConfig embedding,
    JobsConfig jobs,
    BackupConfig backup,
    RetentionConfig retention,
    RecallConfig recall) {

  /// What holds the stores.
  public enum StorageEngine {
    /// Folders of the data directory.
    ROCKSDB,
    /// A PostgreSQL database.
    POSTGRES
  }

  public static final Setting<StorageEngine> STORAGE_ENGINE =
      Setting.oneOf("storage.engine", StorageEngine.ROCKSDB)
          .describedAs(
              "What holds the stores: folders of the data directory (`rocksdb`), or a PostgreSQL"
                  + " database (`postgres`, see the settings postgres.*).");

  public static final Setting<Path> DB_PATH =
      new Setting<>(
              "db_path",
              "db",
              "a directory, relative to the data directory; `~/` is the home directory",
              ValueParser::path)
          .describedAs("Directory of the stores.");

  public static final Setting<Duration> ROLLUP_DEBOUNCE =
      Setting.duration("toc.rollup_debounce", "500ms", "0s to 10m")
          .describedAs(
              "How long days, weeks, months and years wait for further changes before they are"
                  + " summarised.");

  public EngineConfig {
    data = data.toAbsolutePath().normalize();
    db = data.resolve(db).normalize();
    ROLLUP_DEBOUNCE.check(rollupDebounce);
    if (data.startsWith(db)) {
      throw new IllegalArgumentException(
          "the directory of the stores must be inside " + data + ": " + db);
    }
  }

  /// What holds where nothing but the data directory is said.
  public static EngineConfig defaults(Path data) {
    return new EngineConfig(
        data,
        SettingReader.DEFAULTS.read(DB_PATH),
        SegmentationConfig.DEFAULT,
        SettingReader.DEFAULTS.read(ROLLUP_DEBOUNCE),
        IngestLimits.DEFAULT,
        StorageConfig.DEFAULT,
        Optional.empty(),
        WorkspacesConfig.DEFAULT,
        SummarizerConfig.DEFAULT,
        EmbeddingConfig.DEFAULT,
        JobsConfig.DEFAULT,
        BackupConfig.DEFAULT,
        RetentionConfig.DEFAULT,
        RecallConfig.DEFAULT);
  }
}
