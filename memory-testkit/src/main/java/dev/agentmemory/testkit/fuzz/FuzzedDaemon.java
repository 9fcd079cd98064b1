package dev.agentmemory.testkit.fuzz;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;

/// The ports of a daemon on this machine, for inputs over gRPC and HTTP.
public final class FuzzedDaemon implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final ManagedChannel connection;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int httpPort;
  private final String token;

  public FuzzedDaemon(int grpcPort, int httpPort, String token) {
    this.connection = ManagedChannelBuilder.forAddress(HOST, grpcPort).usePlaintext().build();
    this.httpPort = httpPort;
    this.token = token;
  }

  /// A channel with the token.
  public Channel channel() {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return ClientInterceptors.intercept(
        connection, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /// Calls over gRPC, after it has learned some ids of the daemon.
  ///
  /// @param methods those that the daemon serves
  /// @param backups a directory for backups
  public GrpcFuzz grpc(List<MethodDescriptor<?, ?>> methods, Path backups, long seed)
      throws IOException, InterruptedException {
    var fuzz = new GrpcFuzz(channel(), methods, new FieldValues(backups.toString()));
    fuzz.learn(seed);
    return fuzz;
  }

  public HttpFuzz http() {
    return new HttpFuzz(http, URI.create("http://" + HOST + ":" + httpPort), token);
  }

  @Override
  public void close() {
    connection.shutdownNow();
    http.shutdownNow();
  }
}
