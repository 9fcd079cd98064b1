package dev.agentmemory.service;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.config.Setting;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.spi.SocketFile;
import java.time.Duration;
import java.util.Optional;

/// How the daemon is reached over gRPC.
///
/// @param address to bind
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
    ListenAddress address,
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

  public static final Setting<Integer> PORT =
      Setting.whole("grpc_port", DEFAULT_PORT, "0 to 65535")
          .describedAs("Port on which the daemon listens; 0 selects a free port.");

  public RpcConfig {
    PORT.check(port);
    if (maxInboundBytes < 1 || readThreads < 1 || readQueue < 1) {
      throw new IllegalArgumentException("maxInboundBytes, readThreads and readQueue start at 1");
    }
  }

  /// Loopback with all bounds at their defaults.
  public static RpcConfig loopback(int port, Optional<AccessTokens> tokens) {
    return new RpcConfig(
        ListenAddress.LOOPBACK,
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

  public RpcConfig withAddress(ListenAddress changed) {
    return with(changed, connections, socket);
  }

  public RpcConfig withConnections(ConnectionLimits changed) {
    return with(address, changed, socket);
  }

  public RpcConfig withSocket(SocketFile changed) {
    return with(address, connections, Optional.of(changed));
  }

  private RpcConfig with(
      ListenAddress newAddress, ConnectionLimits newConnections, Optional<SocketFile> newSocket) {
    return new RpcConfig(
        newAddress,
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
}
