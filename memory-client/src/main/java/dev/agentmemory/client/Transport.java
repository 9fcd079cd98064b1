package dev.agentmemory.client;

import dev.agentmemory.client.internal.http2.Http2Link;
import dev.agentmemory.client.internal.http2.ThinChannel;
import dev.agentmemory.spi.Mutex;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Selects the channel of a call: one channel for all calls, or a thin one for unary calls and
/// another one for streams.
final class Transport implements AutoCloseable {

  private static final long CLOSE_SECONDS = 5;

  /// The daemon closes connections with more than one ping in 10 seconds.
  private static final Duration PING_AFTER = Duration.ofSeconds(11);

  private static final int MOST_BYTES = 64 << 20;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> WORKSPACE =
      Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER);

  private final Endpoint endpoint;
  private final Duration alive;
  private final Optional<ThinChannel> thin;
  private final Mutex opening = new Mutex();
  private Optional<ManagedChannel> full = Optional.empty();

  private Transport(Endpoint endpoint, Duration alive, Optional<ThinChannel> thin) {
    this.endpoint = endpoint;
    this.alive = alive;
    this.thin = thin;
  }

  /// For many concurrent calls.
  ///
  /// @param alive how long a sign of life may take
  static Transport full(Endpoint endpoint, Duration alive) {
    return new Transport(endpoint, alive, Optional.empty());
  }

  /// For a few calls one after the other; it starts at almost no cost.
  static Transport thin(Endpoint endpoint, Duration alive) {
    var liveness = new Http2Link.Liveness(millis(alive), millis(PING_AFTER));
    var channel = new ThinChannel(address(endpoint), MOST_BYTES, liveness);
    return new Transport(endpoint, alive, Optional.of(channel));
  }

  private static int millis(Duration time) {
    return Math.toIntExact(Math.max(1, time.toMillis()));
  }

  boolean isThin() {
    return thin.isPresent();
  }

  /// The channel of unary calls.
  Channel calls() {
    return thin.<Channel>map(channel -> ClientInterceptors.intercept(channel, headers()))
        .orElseGet(this::streams);
  }

  /// The channel of all calls.
  Channel streams() {
    try (var _ = opening.hold()) {
      if (full.isEmpty()) {
        full =
            Optional.of(
                NettyChannelBuilder.forAddress(address(endpoint))
                    .usePlaintext()
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

  private ClientInterceptor headers() {
    var headers = new Metadata();
    endpoint.token().ifPresent(token -> headers.put(AUTHORIZATION, "Bearer " + token));
    endpoint.workspace().ifPresent(name -> headers.put(WORKSPACE, name.value()));
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private static InetSocketAddress address(Endpoint endpoint) {
    return new InetSocketAddress(endpoint.host(), endpoint.port());
  }

  @Override
  public void close() {
    thin.ifPresent(ThinChannel::close);
    try (var _ = opening.hold()) {
      full.ifPresent(Transport::end);
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
