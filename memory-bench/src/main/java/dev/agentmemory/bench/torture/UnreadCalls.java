package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.testkit.fuzz.FuzzedDaemon;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// A client that asks for all events many times over one connection and never reads an answer.
final class UnreadCalls implements AutoCloseable {

  private static final int CALLS = 40;
  private static final GetEventsRequest ALL =
      GetEventsRequest.newBuilder()
          .setToTimestampMs(Instant.parse("2200-01-01T00:00:00Z").toEpochMilli())
          .setLimit(10_000)
          .build();

  private final FuzzedDaemon daemon;

  private UnreadCalls(FuzzedDaemon daemon) {
    this.daemon = daemon;
  }

  /// @param data the directory of a running daemon
  static UnreadCalls begin(Path data) throws IOException {
    DaemonHttp http = DaemonHttp.find(data);
    var daemon = new FuzzedDaemon(Endpoint.find(data).port(), http.port(), http.token());
    Channel channel = daemon.channel();
    for (int i = 0; i < CALLS; i++) {
      // Messages are delivered only when the client asks for them, which it does not.
      ClientCall<GetEventsRequest, GetEventsResponse> call =
          channel.newCall(MemoryServiceGrpc.getGetEventsMethod(), CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {}, new Metadata());
      call.sendMessage(ALL);
      call.halfClose();
    }
    return new UnreadCalls(daemon);
  }

  @Override
  public void close() {
    daemon.close();
  }
}
