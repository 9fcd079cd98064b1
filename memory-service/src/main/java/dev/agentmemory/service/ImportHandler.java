package dev.agentmemory.service;

import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.proto.ImportMemoriesRequest;
import dev.agentmemory.proto.ImportMemoriesResponse;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.UpkeepMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;

/// One import. The next message is requested only when the lines of the one before are stored, so
/// one message at a time is in memory, and a failure ends the stream before the next one.
final class ImportHandler implements StreamObserver<ImportMemoriesRequest> {

  private static final int MOST_LINES = 1000;

  private final Exchange exchange;
  private final CallPool work;
  private final ServerCallStreamObserver<ImportMemoriesResponse> answer;
  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private ImportReport report = ImportReport.NONE;
  private long nextLine = 1;
  private boolean busy;
  private boolean halfClosed;

  ImportHandler(
      Exchange exchange, CallPool work, ServerCallStreamObserver<ImportMemoriesResponse> answer) {
    this.exchange = exchange;
    this.work = work;
    this.answer = answer;
  }

  /// Call this inside the handler.
  void open() {
    CallPool.tolerateCancel(answer);
    answer.disableAutoRequest();
    answer.request(1);
  }

  @Override
  public void onNext(ImportMemoriesRequest message) {
    List<String> lines = message.getLinesList();
    if (lines.isEmpty() || lines.size() > MOST_LINES) {
      throw MemoryException.invalid(
          "lines", "are %d; send 1 to %d in a message".formatted(lines.size(), MOST_LINES));
    }
    long first = begin(message);
    work.part(answer, () -> done(exchange.importLines(first, lines)));
  }

  /// @return the number of the message's first line
  private long begin(ImportMemoriesRequest message) {
    try (var _ = lock.hold()) {
      busy = true;
      long first = message.getFirstLine() > 0 ? message.getFirstLine() : nextLine;
      nextLine = first + message.getLinesCount();
      return first;
    }
  }

  private void done(ImportReport part) {
    boolean last;
    try (var _ = lock.hold()) {
      report = report.plus(part);
      busy = false;
      last = halfClosed;
    }
    if (last) {
      finish();
    } else {
      answer.request(1);
    }
  }

  @Override
  public void onCompleted() {
    try (var _ = lock.hold()) {
      halfClosed = true;
      if (busy) {
        return;
      }
    }
    finish();
  }

  private void finish() {
    ImportReport whole;
    try (var _ = lock.hold()) {
      whole = report;
    }
    answer.onNext(UpkeepMessages.toWire(whole));
    answer.onCompleted();
  }

  @Override
  public void onError(Throwable failure) {
    // The client has gone. What it sent before stays stored.
  }
}
