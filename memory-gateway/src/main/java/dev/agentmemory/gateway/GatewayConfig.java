package dev.agentmemory.gateway;

import dev.agentmemory.config.Setting;
import dev.agentmemory.gateway.http.GatewayLimits;
import java.nio.file.Path;

/// Where the HTTP server listens.
///
/// @param port of 127.0.0.1; 0 for a free one
/// @param socket path of the Unix socket, as [SocketPath] gives it
/// @param token that requests have to send
public record GatewayConfig(int port, Path socket, String token, GatewayLimits limits) {

  public static final Setting<Integer> PORT =
      Setting.whole("http.port", 8737, "0 to 65535")
          .describedAs(
              "Port of 127.0.0.1 on which the daemon serves HTTP; 0 selects a free port, as does"
                  + " `grpc_port = 0` if this is not set.");

  public GatewayConfig {
    PORT.check(port);
    if (token.isBlank()) {
      throw new IllegalArgumentException("HTTP is never served without a token");
    }
  }

  /// Without the token, which must not end up in logs.
  @Override
  public String toString() {
    return "GatewayConfig[port=" + port + ", socket=" + socket + "]";
  }
}
