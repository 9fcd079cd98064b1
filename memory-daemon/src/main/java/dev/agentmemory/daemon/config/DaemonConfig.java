package dev.agentmemory.daemon.config;

import dev.agentmemory.pipeline.IngestLimits;
import dev.agentmemory.pipeline.JobsConfig;
import dev.agentmemory.storage.StorageConfig;
import dev.agentmemory.toc.SegmentationConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// Everything that a daemon is told at its start. [ConfigLoader] makes it; the ranges of its
/// settings are those of the records here, so that all mistakes can be told at once and none is
/// found only when a part is built.
///
/// @param data the data directory
/// @param db the folder of the stores, one folder in it for each
/// @param host address to listen on, always a loopback one
/// @param port port to listen on; 0 for a free one
/// @param loopbackOpen whether local callers need no token
/// @param segmentation where a session is cut
/// @param rollupDebounce how long a rollup waits for more changes
/// @param ingest what is let in
/// @param storage how the store uses disk and memory, and the zone in which days begin
/// @param workspaces how agents are kept apart, and how many stores may be open
/// @param summarizer which summariser writes
/// @param embedding which model gives events their vectors
/// @param log what the log says and where
/// @param jobs when the jobs run that keep the store in order
/// @param backup where and when backups are made
public record DaemonConfig(
    Path data,
    Path db,
    String host,
    int port,
    boolean loopbackOpen,
    SegmentationConfig segmentation,
    Duration rollupDebounce,
    IngestLimits ingest,
    StorageConfig storage,
    WorkspacesConfig workspaces,
    SummarizerConfig summarizer,
    EmbeddingConfig embedding,
    LogConfig log,
    JobsConfig jobs,
    BackupConfig backup) {

  public DaemonConfig {
    data = data.toAbsolutePath().normalize();
    db = data.resolve(db).normalize();
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(segmentation, "segmentation");
    Objects.requireNonNull(rollupDebounce, "rollupDebounce");
    Objects.requireNonNull(ingest, "ingest");
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(workspaces, "workspaces");
    Objects.requireNonNull(summarizer, "summarizer");
    Objects.requireNonNull(embedding, "embedding");
    Objects.requireNonNull(log, "log");
    if (data.startsWith(db)) {
      throw new IllegalArgumentException("the stores' folder must lie below " + data + ": " + db);
    }
    Objects.requireNonNull(jobs, "jobs");
    Objects.requireNonNull(backup, "backup");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port outside 0..65535: " + port);
    }
  }

  /// The configuration of a daemon that is told nothing but where its data is.
  public static DaemonConfig defaults(Path data) {
    return ConfigLoader.load(data, List.of());
  }
}
