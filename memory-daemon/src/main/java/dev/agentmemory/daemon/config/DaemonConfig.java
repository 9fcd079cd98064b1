package dev.agentmemory.daemon.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.hook.AgentsConfig;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import java.nio.file.Path;

/// The settings with which a daemon starts. [ConfigLoader] makes it from the settings that the
/// records of each part declare.
///
/// @param engine the settings of the engine
/// @param address to listen on with gRPC
/// @param port port of gRPC; 0 for a free one
/// @param httpPort port of HTTP; 0 for a free one
/// @param connections bounds of the connections of gRPC
/// @param loopbackOpen whether local callers need no token
/// @param bearerOverTcp whether the token itself may be sent over TCP in plain text
/// @param agents what is recorded of agents
/// @param log what the log says and where
public record DaemonConfig(
    EngineConfig engine,
    ListenAddress address,
    int port,
    int httpPort,
    ConnectionLimits connections,
    boolean loopbackOpen,
    boolean bearerOverTcp,
    AgentsConfig agents,
    LogConfig log) {

  static final Setting<Boolean> LOOPBACK_OPEN =
      Setting.either("auth.loopback", "token", "open")
          .describedAs(
              "Whether local callers must send the token; `open` is for old clients that cannot"
                  + " send it.");

  static final Setting<Boolean> NO_BEARER_OVER_TCP =
      Setting.either("auth.bearer_over_tcp", "allowed", "refused")
          .describedAs(
              "Whether calls over TCP in plain text may send the token; `refused` is possible where"
                  + " all clients use the Unix sockets, TLS or the handshake, and serves nothing but"
                  + " health checks over the port of HTTP.");

  public DaemonConfig {
    RpcConfig.PORT.check(port);
    GatewayConfig.PORT.check(httpPort);
  }

  /// The data directory.
  public Path data() {
    return engine.data();
  }
}
