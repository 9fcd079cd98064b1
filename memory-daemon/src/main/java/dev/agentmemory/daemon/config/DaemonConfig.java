package dev.agentmemory.daemon.config;

import dev.agentmemory.engine.config.EngineConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Everything that a daemon is told at its start. [ConfigLoader] makes it; the ranges of its
/// settings are those of the records here, so that all mistakes can be told at once and none is
/// found only when a part is built.
///
/// @param engine what the engine is told
/// @param host address to listen on, always a loopback one
/// @param port port to listen on; 0 for a free one
/// @param loopbackOpen whether local callers need no token
/// @param log what the log says and where
public record DaemonConfig(
    EngineConfig engine, String host, int port, boolean loopbackOpen, LogConfig log) {

  public DaemonConfig {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(log, "log");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port outside 0..65535: " + port);
    }
  }

  /// The configuration of a daemon that is told nothing but where its data is.
  public static DaemonConfig defaults(Path data) {
    return ConfigLoader.load(data, List.of());
  }

  /// The data directory.
  public Path data() {
    return engine.data();
  }
}
