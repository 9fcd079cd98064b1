package dev.agentmemory.client;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.client.internal.channel.ChannelLoop;
import dev.agentmemory.client.internal.unary.GrpcTransport;
import dev.agentmemory.client.internal.unary.HttpTransport;
import dev.agentmemory.client.internal.unary.UnaryTransport;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// Selects how a call is sent: all over one gRPC channel, or unary calls over HTTP and streams over
/// the channel.
final class Transport implements AutoCloseable {

  private static final long CLOSE_SECONDS = 5;

  /// The daemon closes connections with more than one ping in 10 seconds.
  private static final Duration PING_AFTER = Duration.ofSeconds(11);

  private static final int MOST_BYTES = 64 << 20;
  private static final String AUTHORIZATION = "authorization";
  private static final String WORKSPACE = "memory-workspace";

  private final Endpoint endpoint;
  private final Duration alive;
  private final boolean thin;
  private final Mutex opening = new Mutex();

  // Guarded by the mutex.
  private Optional<ManagedChannel> full = Optional.empty();
  private Optional<ChannelLoop> loop = Optional.empty();

  private Transport(Endpoint endpoint, Duration alive, boolean thin) {
    this.endpoint = endpoint;
    this.alive = alive;
    this.thin = thin;
  }

  /// For many concurrent calls.
  ///
  /// @param alive how long a sign of life may take
  static Transport full(Endpoint endpoint, Duration alive) {
    return new Transport(endpoint, alive, /* thin= */ false);
  }

  /// For a few calls one after the other; it starts at almost no cost. A daemon whose HTTP server
  /// cannot be reached is called over gRPC, and so is one whose token would have to be sent over
  /// TCP.
  static Transport thin(Endpoint endpoint, Duration alive) {
    // Over HTTP the token is a part of each request.
    boolean thin =
        endpoint
            .http()
            .filter(
                address -> address instanceof UnixDomainSocketAddress || endpoint.token().isEmpty())
            .isPresent();
    return new Transport(endpoint, alive, thin);
  }

  private static Map<String, String> metadata(Endpoint endpoint) {
    Map<String, String> metadata = new HashMap<>();
    endpoint.token().ifPresent(token -> metadata.put(AUTHORIZATION, "Bearer " + token));
    endpoint.workspace().ifPresent(name -> metadata.put(WORKSPACE, name.value()));
    return metadata;
  }

  boolean isThin() {
    return thin;
  }

  /// For unary calls.
  UnaryTransport calls() {
    return thin
        ? new HttpTransport(
            endpoint.http().orElseThrow(), metadata(endpoint), alive, this::overGrpc)
        : overGrpc();
  }

  private UnaryTransport overGrpc() {
    return new GrpcTransport(streams());
  }

  /// The channel of streams.
  Channel streams() {
    try (var _ = opening.hold()) {
      if (full.isEmpty()) {
        full =
            Optional.of(
                reaching(endpoint)
                    .directExecutor()
                    .maxInboundMessageSize(MOST_BYTES)
                    .keepAliveTime(PING_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                    .keepAliveTimeout(alive.toMillis(), TimeUnit.MILLISECONDS)
                    .intercept(headers())
                    .build());
      }
      return full.get();
    }
  }

  private NettyChannelBuilder reaching(Endpoint daemon) {
    if (daemon.socket().isPresent()) {
      return loop().unixSocket(daemon.socket().get()).usePlaintext();
    }
    var address = new InetSocketAddress(daemon.host(), daemon.port());
    if (daemon.trusted().isPresent()) {
      return NettyChannelBuilder.forAddress(address).sslContext(trusting(daemon.trusted().get()));
    }
    return daemon.token().isPresent()
        ? loop().proven(address, TokenHash.of(daemon.token().get()), alive).usePlaintext()
        : NettyChannelBuilder.forAddress(address).usePlaintext();
  }

  /// Call this with the mutex.
  private ChannelLoop loop() {
    var started = new ChannelLoop();
    loop = Optional.of(started);
    return started;
  }

  private static SslContext trusting(Path certificates) {
    try {
      return GrpcSslContexts.forClient().trustManager(certificates.toFile()).build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.INVALID_FIELD,
          "trusted: " + certificates + " cannot be read, or has no certificate in PEM",
          e);
    }
  }

  private ClientInterceptor headers() {
    var headers = new Metadata();
    Map<String, String> metadata = metadata(endpoint);
    if (endpoint.isPlainTcp()) {
      // The connection proves it.
      metadata.remove(AUTHORIZATION);
    }
    metadata.forEach((name, value) ->
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  @Override
  public void close() {
    try (var _ = opening.hold()) {
      full.ifPresent(Transport::end);
      loop.ifPresent(ChannelLoop::close);
    }
  }

  private static void end(ManagedChannel channel) {
    channel.shutdown();
    try {
      if (!channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        channel.shutdownNow();
      }
    } catch (InterruptedException e) {
      channel.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
