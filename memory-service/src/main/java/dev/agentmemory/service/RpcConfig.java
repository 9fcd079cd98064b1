package dev.agentmemory.service;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// How the daemon is reached over gRPC.
///
/// @param host address to bind
/// @param port 0 takes a free one
/// @param maxInboundBytes largest request message
/// @param readThreads threads that serve reads
/// @param readQueue reads that may wait for a thread; one more is refused
/// @param token what callers must send; empty lets everyone in
/// @param window bound of each ingest stream
/// @param drain how long `close` waits for calls in progress
public record RpcConfig(
    String host,
    int port,
    int maxInboundBytes,
    int readThreads,
    int readQueue,
    Optional<String> token,
    StreamWindow window,
    Duration drain) {

  public RpcConfig {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(drain, "drain");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port outside 0..65535: " + port);
    }
    if (token.isPresent() && token.get().isBlank()) {
      throw new IllegalArgumentException("the token is blank; omit it to disable authentication");
    }
    if (maxInboundBytes < 1 || readThreads < 1 || readQueue < 1) {
      throw new IllegalArgumentException("maxInboundBytes, readThreads and readQueue start at 1");
    }
  }

  /// Loopback with all bounds at their defaults.
  public static RpcConfig loopback(int port, Optional<String> token) {
    return new RpcConfig(
        "127.0.0.1", port, 8 << 20, 4, 1024, token, StreamWindow.DEFAULT, Duration.ofSeconds(5));
  }

  public RpcConfig withHost(String changed) {
    return new RpcConfig(
        changed, port, maxInboundBytes, readThreads, readQueue, token, window, drain);
  }
}
