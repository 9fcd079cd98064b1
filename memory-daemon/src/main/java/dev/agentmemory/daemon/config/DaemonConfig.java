package dev.agentmemory.daemon.config;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Everything that a daemon is told at its start. [ConfigLoader] makes it; ranges are checked
/// there, setting by setting, so that all mistakes can be told at once.
///
/// @param data the data directory
/// @param host address to listen on, always a loopback one
/// @param port port to listen on; 0 for a free one
/// @param loopbackOpen whether local callers need no token
public record DaemonConfig(
    Path data,
    String host,
    int port,
    boolean loopbackOpen,
    Segmentation segmentation,
    Toc toc,
    Ingest ingest,
    Storage storage) {

  public DaemonConfig {
    data = data.toAbsolutePath().normalize();
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(segmentation, "segmentation");
    Objects.requireNonNull(toc, "toc");
    Objects.requireNonNull(ingest, "ingest");
    Objects.requireNonNull(storage, "storage");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port outside 0..65535: " + port);
    }
  }

  /// The configuration of a daemon that is told nothing but where its data is.
  public static DaemonConfig defaults(Path data) {
    return ConfigLoader.load(data, List.of());
  }

  /// Where a session is cut.
  ///
  /// @param timeThreshold silence that ends a segment
  /// @param tokenThreshold tokens that a segment may hold
  /// @param overlapTime how old the overlap's events may be
  /// @param overlapTokens tokens that the overlap may hold
  /// @param maxToolResultChars how much of a tool result is counted and summarised
  public record Segmentation(
      Duration timeThreshold,
      int tokenThreshold,
      Duration overlapTime,
      int overlapTokens,
      int maxToolResultChars) {}

  /// How the table of contents is built.
  ///
  /// @param zone in which days begin; empty to take the store's, UTC for a new one
  /// @param rollupDebounce how long a rollup waits for more changes
  public record Toc(Optional<ZoneId> zone, Duration rollupDebounce) {

    public Toc {
      Objects.requireNonNull(zone, "zone");
      Objects.requireNonNull(rollupDebounce, "rollupDebounce");
    }
  }

  /// What is let in.
  ///
  /// @param maxClockSkew how far ahead of the daemon's clock an event may lie
  public record Ingest(Duration maxClockSkew) {}

  /// How the store uses disk and memory.
  ///
  /// @param fsync whether an event is on the disk before it is acknowledged
  /// @param blockCacheBytes memory for blocks that were read
  /// @param writeBufferBytes memory for what was written and not yet flushed
  public record Storage(boolean fsync, long blockCacheBytes, long writeBufferBytes) {}
}
