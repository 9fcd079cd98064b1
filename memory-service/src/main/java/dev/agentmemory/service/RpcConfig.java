package dev.agentmemory.service;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.config.Setting;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.spi.SocketFile;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// How the daemon is reached over gRPC.
///
/// @param host address to bind
/// @param port 0 takes a free one
/// @param maxInboundBytes largest request message
/// @param readThreads threads that serve reads
/// @param readQueue reads that may wait for a thread; one more is refused
/// @param tokens of which callers must send one; empty lets everyone in
/// @param window bound of each ingest stream
/// @param drain how long `close` waits for calls in progress
/// @param connections bounds of the connections
/// @param socket Unix socket on which the same is served; empty for TCP only
public record RpcConfig(
    String host,
    int port,
    int maxInboundBytes,
    int readThreads,
    int readQueue,
    Optional<AccessTokens> tokens,
    StreamWindow window,
    Duration drain,
    ConnectionLimits connections,
    Optional<SocketFile> socket) {

  public static final int DEFAULT_PORT = 8738;

  /// Largest request message by default.
  public static final int MOST_REQUEST_BYTES = 8 << 20;

  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])){3}");

  public static final Setting<String> HOST =
      Setting.text("grpc_host", "127.0.0.1", "a loopback address", RpcConfig::checkLoopback)
          .describedAs(
              "Address on which the daemon listens. Other addresses need TLS, which this version"
                  + " does not support.");

  public static final Setting<Integer> PORT =
      Setting.whole("grpc_port", DEFAULT_PORT, "0 to 65535")
          .describedAs("Port on which the daemon listens; 0 selects a free port.");

  public RpcConfig {
    HOST.check(host);
    PORT.check(port);
    if (maxInboundBytes < 1 || readThreads < 1 || readQueue < 1) {
      throw new IllegalArgumentException("maxInboundBytes, readThreads and readQueue start at 1");
    }
  }

  /// Loopback with all bounds at their defaults.
  public static RpcConfig loopback(int port, Optional<AccessTokens> tokens) {
    return new RpcConfig(
        HOST.defaultText(),
        port,
        MOST_REQUEST_BYTES,
        4,
        1024,
        tokens,
        StreamWindow.DEFAULT,
        Duration.ofSeconds(5),
        ConnectionLimits.DEFAULT,
        Optional.empty());
  }

  public RpcConfig withHost(String changed) {
    return with(changed, connections, socket);
  }

  public RpcConfig withConnections(ConnectionLimits changed) {
    return with(host, changed, socket);
  }

  public RpcConfig withSocket(SocketFile changed) {
    return with(host, connections, Optional.of(changed));
  }

  private RpcConfig with(
      String newHost, ConnectionLimits newConnections, Optional<SocketFile> newSocket) {
    return new RpcConfig(
        newHost,
        port,
        maxInboundBytes,
        readThreads,
        readQueue,
        tokens,
        window,
        drain,
        newConnections,
        newSocket);
  }

  private static void checkLoopback(String text) {
    if (!text.equals("localhost") && !text.equals("::1") && !LOOPBACK_V4.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected 127.0.0.1, ::1 or localhost: any other address needs TLS, which this version"
              + " does not have");
    }
  }
}
