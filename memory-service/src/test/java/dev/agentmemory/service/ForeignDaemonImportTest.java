package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Imports into a daemon of another version.
class ForeignDaemonImportTest {

  @Test
  void daemonWithoutTheCall_isTooOldForIt() throws IOException {
    assertThat(failure(new IngestServiceGrpc.IngestServiceImplBase() {}).code())
        .isEqualTo(ErrorCode.UNSUPPORTED_FORMAT);
  }

  @Test
  void daemonThatAcknowledgesTooFew_isNotBelieved() throws IOException {
    MemoryException failure =
        failure(
            new IngestServiceGrpc.IngestServiceImplBase() {
              @Override
              public void ingestBatch(
                  IngestStreamRequest request, StreamObserver<IngestStreamResponse> observer) {
                observer.onNext(
                    IngestStreamResponse.newBuilder()
                        .addAcks(
                            IngestAck.newBuilder().setOutcome(IngestAck.Outcome.OUTCOME_CREATED))
                        .build());
                observer.onCompleted();
              }
            });
    assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(failure).hasMessage("the daemon acknowledged 1 of 2 events; send them again");
  }

  private static MemoryException failure(BindableService service) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(service)
            .build()
            .start();
    try (MemoryClient client =
        MemoryClient.connect(new Endpoint("127.0.0.1", server.getPort(), Optional.empty()))) {
      return catchThrowableOfType(
          MemoryException.class,
          () -> client.importEvents(List.of(Samples.event(1), Samples.event(2))));
    } finally {
      server.shutdownNow();
    }
  }
}
