package dev.agentmemory.service;

import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Streams of events.
final class IngestRpc extends IngestServiceGrpc.IngestServiceImplBase {

  private final StreamWindow window;
  private final Set<IngestStreamHandler> handlers = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  IngestRpc(StreamWindow window) {
    this.window = window;
  }

  @Override
  public StreamObserver<IngestStreamRequest> ingestStream(
      StreamObserver<IngestStreamResponse> observer) {
    var answers = (ServerCallStreamObserver<IngestStreamResponse>) observer;
    var handler =
        new IngestStreamHandler(
            CallMemory.get().ingest(), window, answers, Alarm.REAL, handlers::remove);
    handlers.add(handler);
    handler.open();
    if (stopping) {
      handler.stop();
    }
    return handler;
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
