package dev.agentmemory.bench.abuse;

import com.google.protobuf.MessageLite;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RebuildIndexRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchRequest;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.EventMessages;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Calls over one connection, each of which is made again when it has ended, without any delay.
record GrpcFlood(Channel channel, AttackTally tally) {

  /// A little less than the daemon takes as one message.
  private static final int LARGEST_QUERY = (8 << 20) - 64;

  private static final int LONGEST_QUERY = 4096;
  private static final int EVENT_BYTES = (1 << 20) - 64;
  private static final int LINE_BYTES = "line 000000 of a log\n".length();
  private static final int EVENTS_IN_MESSAGE = 7;
  private static final int INGEST_STREAMS = 16;
  private static final int INGEST_CALLS = 64;
  private static final int DEEPEST_SEARCH = 100;
  private static final int LARGEST_CONTEXT = 100_000;
  private static final String QUERY = "river harbour meeting budget report yesterday ";

  /// Asks for all events many times, and never reads an answer.
  static void unread(Channel channel, int calls) {
    for (int i = 0; i < calls; i++) {
      // Messages are delivered only when the client asks for them, which it does not.
      ClientCall<GetEventsRequest, GetEventsResponse> call =
          channel.newCall(MemoryServiceGrpc.getGetEventsMethod(), CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {}, new Metadata());
      call.sendMessage(allEvents());
      call.halfClose();
    }
  }

  private static GetEventsRequest allEvents() {
    return GetEventsRequest.newBuilder()
        .setToTimestampMs(Instant.parse("2200-01-01T00:00:00Z").toEpochMilli())
        .setLimit(10_000)
        .build();
  }

  /// Queries that are larger than they may be, and those that are as large as they may be.
  void longQueries() {
    String large = "wo ".repeat(LARGEST_QUERY / 3);
    String allowed = QUERY.repeat(LONGEST_QUERY / QUERY.length());
    again(
        MemoryServiceGrpc.getSearchNodeMethod(),
        SearchNodeRequest.newBuilder().setNodeId("toc:year:2023").setQuery(large).build());
    again(SearchServiceGrpc.getSearchMethod(), SearchRequest.newBuilder().setQuery(large).build());
    again(
        MemoryServiceGrpc.getSearchNodeMethod(),
        SearchNodeRequest.newBuilder().setNodeId("toc:year:2023").setQuery(allowed).build());
    again(SearchServiceGrpc.getSearchMethod(), deepSearch(allowed));
  }

  private static SearchRequest deepSearch(String query) {
    return SearchRequest.newBuilder().setQuery(query).setLimit(DEEPEST_SEARCH).build();
  }

  void costlyCalls(int atOnce) {
    String allowed = QUERY.repeat(LONGEST_QUERY / QUERY.length());
    for (int i = 0; i < atOnce; i++) {
      switch (i % 8) {
        case 0 ->
            again(
                SearchServiceGrpc.getBuildContextMethod(),
                BuildContextRequest.newBuilder()
                    .setQuery(allowed)
                    .setTokenBudget(LARGEST_CONTEXT)
                    .build());
        case 1 ->
            again(
                RecallServiceGrpc.getExportMemoriesMethod(),
                ExportMemoriesRequest.getDefaultInstance());
        case 2 -> again(MemoryServiceGrpc.getGetEventsMethod(), allEvents());
        case 3 ->
            again(
                SearchServiceGrpc.getRebuildIndexMethod(),
                RebuildIndexRequest.getDefaultInstance());
        default -> again(SearchServiceGrpc.getSearchMethod(), deepSearch(allowed));
      }
    }
  }

  void largeEvents() {
    for (int i = 0; i < INGEST_STREAMS; i++) {
      stream();
    }
    var next = new AtomicInteger();
    for (int i = 0; i < INGEST_CALLS; i++) {
      made(
          MemoryServiceGrpc.getIngestEventMethod(),
          () -> IngestEventRequest.newBuilder().setEvent(event(next.getAndIncrement())).build());
    }
  }

  private void stream() {
    var next = new AtomicInteger();
    IngestServiceGrpc.newStub(channel)
        .ingestStream(
            new ClientResponseObserver<IngestStreamRequest, IngestStreamResponse>() {
              @Override
              public void beforeStart(ClientCallStreamObserver<IngestStreamRequest> requests) {
                requests.setOnReadyHandler(() -> {
                  // As many as the transport takes, and some more.
                  while (requests.isReady()) {
                    var message = IngestStreamRequest.newBuilder();
                    for (int i = 0; i < EVENTS_IN_MESSAGE; i++) {
                      message.addEvents(event(next.getAndIncrement()));
                    }
                    requests.onNext(message.build());
                  }
                });
              }

              @Override
              public void onNext(IngestStreamResponse answer) {
                answer.getAcksList().forEach(_ -> tally.add("acknowledged"));
              }

              @Override
              public void onError(Throwable failure) {
                tally.add("stream", Status.fromThrowable(failure));
                stream();
              }

              @Override
              public void onCompleted() {}
            });
  }

  private static dev.agentmemory.proto.Event event(int number) {
    return EventMessages.toWire(
        PlainEvents.of(
            new SessionId("flood-" + UUID.randomUUID()),
            Instant.ofEpochMilli(System.currentTimeMillis()),
            EventType.TOOL_RESULT,
            EventRole.TOOL,
            "line %06d of a log\n".formatted(number).repeat(EVENT_BYTES / LINE_BYTES)));
  }

  private <Q extends MessageLite, A> void again(MethodDescriptor<Q, A> method, Q request) {
    made(method, () -> request);
  }

  private <Q extends MessageLite, A> void made(MethodDescriptor<Q, A> method, Supplier<Q> request) {
    ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(A answer) {
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            tally.add(String.valueOf(method.getBareMethodName()), status);
            if (status.getCode() != Status.Code.UNAVAILABLE) {
              made(method, request);
            }
          }
        },
        new Metadata());
    call.request(2);
    call.sendMessage(request.get());
    call.halfClose();
  }
}
