package dev.agentmemory.service;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.service.internal.share.StreamBudget;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Streams and batches of events.
final class IngestRpc extends IngestServiceGrpc.IngestServiceImplBase {

  private final StreamWindow window;
  private final StreamBudget budget;
  private final Set<IngestStreamHandler> handlers = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  IngestRpc(StreamWindow window, StreamBudget budget) {
    this.window = window;
    this.budget = budget;
  }

  @Override
  public StreamObserver<IngestStreamRequest> ingestStream(
      StreamObserver<IngestStreamResponse> observer) {
    var answers = (ServerCallStreamObserver<IngestStreamResponse>) observer;
    var handler =
        new IngestStreamHandler(
            CallMemory.get().ingest(),
            window,
            budget.share(),
            answers,
            Alarm.REAL,
            handlers::remove);
    handlers.add(handler);
    handler.open();
    if (stopping) {
      handler.stop();
    }
    return handler;
  }

  /// Runs on the transport's thread and is answered from the store's thread. Nothing here may
  /// block.
  @Override
  public void ingestBatch(
      IngestStreamRequest request, StreamObserver<IngestStreamResponse> observer) {
    Ingest ingest = CallMemory.get().ingest();
    IngestBatch batch = IngestBatch.ofCall(request, ingest);
    if (batch.failure().isPresent()) {
      observer.onError(batch.failure().get());
      return;
    }
    CallPool.answer(observer, ingest.append(batch.valid()).thenApply(batch::answer));
  }

  /// Number of open streams.
  int open() {
    return handlers.size();
  }

  /// Makes all streams answer the events that they accepted and then end.
  void stop() {
    stopping = true;
    handlers.forEach(IngestStreamHandler::stop);
  }
}
