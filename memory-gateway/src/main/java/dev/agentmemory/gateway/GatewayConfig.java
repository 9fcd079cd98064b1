package dev.agentmemory.gateway;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.config.Setting;
import dev.agentmemory.gateway.http.GatewayLimits;
import java.nio.file.Path;

/// Where the HTTP server listens.
///
/// @param port of 127.0.0.1; 0 for a free one
/// @param socket path of the Unix socket, as [SocketPath] gives it
/// @param tokens of which requests have to send one
/// @param bearerOverTcp whether they may send it over the port; if not, all but health checks need
///   the socket
public record GatewayConfig(
    int port, Path socket, AccessTokens tokens, boolean bearerOverTcp, GatewayLimits limits) {

  public static final Setting<Integer> PORT =
      Setting.whole("http.port", 8737, "0 to 65535")
          .describedAs(
              "Port of 127.0.0.1 on which the daemon serves HTTP; 0 selects a free port, as does"
                  + " `grpc_port = 0` if this is not set.");

  /// A server that takes tokens over its port, too.
  public GatewayConfig(int port, Path socket, AccessTokens tokens, GatewayLimits limits) {
    this(port, socket, tokens, /* bearerOverTcp= */ true, limits);
  }

  public GatewayConfig {
    PORT.check(port);
  }
}
