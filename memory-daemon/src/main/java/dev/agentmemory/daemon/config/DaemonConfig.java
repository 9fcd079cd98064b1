package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.service.RpcConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Everything that a daemon is told at its start. [ConfigLoader] makes it from the settings that
/// the records of each part declare.
///
/// @param engine what the engine is told
/// @param host address to listen on, always a loopback one
/// @param port port to listen on; 0 for a free one
/// @param loopbackOpen whether local callers need no token
/// @param log what the log says and where
public record DaemonConfig(
    EngineConfig engine, String host, int port, boolean loopbackOpen, LogConfig log) {

  static final Setting<Boolean> LOOPBACK_OPEN =
      Setting.either("auth.loopback", "token", "open")
          .describedAs(
              "Whether local callers must send the token; `open` is for old clients that cannot"
                  + " send it.");

  public DaemonConfig {
    Objects.requireNonNull(engine, "engine");
    RpcConfig.HOST.check(host);
    RpcConfig.PORT.check(port);
    Objects.requireNonNull(log, "log");
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
