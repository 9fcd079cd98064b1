package dev.agentmemory.client;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;

/// The one place that knows which transport carries the calls.
final class Transport {

  private static final int MOST_BYTES = 64 << 20;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> WORKSPACE =
      Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER);

  private Transport() {}

  static ManagedChannel open(Endpoint endpoint) {
    var headers = new Metadata();
    endpoint.token().ifPresent(token -> headers.put(AUTHORIZATION, "Bearer " + token));
    endpoint.workspace().ifPresent(name -> headers.put(WORKSPACE, name.value()));
    return NettyChannelBuilder.forAddress(new InetSocketAddress(endpoint.host(), endpoint.port()))
        .usePlaintext()
        .directExecutor()
        .maxInboundMessageSize(MOST_BYTES)
        .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
        .build();
  }
}
