package dev.agentmemory.gateway.internal.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Reads a body without holding a thread, up to a bound.
final class BodyReader implements Runnable {

  private static final int LEAST = 1024;

  private final Request request;
  private final long mostBytes;
  private final BodyBudget.Share share;
  private final CompletableFuture<Body> body = new CompletableFuture<>();
  private byte[] received = new byte[LEAST];
  private int size;

  /// What came of reading.
  sealed interface Body {

    // Never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(byte[] bytes) implements Body {}

    /// It is longer than the bound.
    record TooLarge() implements Body {}

    /// The bodies of other requests leave no room for it.
    record OverBudget() implements Body {}
  }

  private BodyReader(Request request, long mostBytes, BodyBudget.Share share) {
    this.request = request;
    this.mostBytes = mostBytes;
    this.share = share;
  }

  /// @param share is charged with what is received
  /// @return fails if the body does not arrive
  static CompletableFuture<Body> read(Request request, long mostBytes, BodyBudget.Share share) {
    if (request.getLength() > mostBytes) {
      return CompletableFuture.completedFuture(new Body.TooLarge());
    }
    if (!share.canBegin(request.getLength())) {
      return CompletableFuture.completedFuture(new Body.OverBudget());
    }
    var reader = new BodyReader(request, mostBytes, share);
    reader.run();
    return reader.body;
  }

  @Override
  public void run() {
    while (!body.isDone()) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(this);
        return;
      }
      take(chunk);
    }
  }

  private void take(Content.Chunk chunk) {
    if (Content.Chunk.isFailure(chunk)) {
      body.completeExceptionally(chunk.getFailure());
      return;
    }
    ByteBuffer bytes = chunk.getByteBuffer();
    boolean fits = size + (long) bytes.remaining() <= mostBytes;
    boolean hasRoom = fits && share.add(bytes.remaining());
    if (hasRoom) {
      append(bytes);
    }
    boolean last = chunk.isLast();
    chunk.release();
    if (!fits) {
      body.complete(new Body.TooLarge());
    } else if (!hasRoom) {
      body.complete(new Body.OverBudget());
    } else if (last) {
      body.complete(
          new Body.Whole(size == received.length ? received : Arrays.copyOf(received, size)));
    }
  }

  private void append(ByteBuffer bytes) {
    int needed = size + bytes.remaining();
    if (needed > received.length) {
      // The length that is told is believed for a large body, of which there is one at a time.
      long told = needed > BodyBudget.LARGE ? request.getLength() : 0;
      received =
          Arrays.copyOf(received, (int) Math.max(told, Math.max(needed, 2L * received.length)));
    }
    int length = bytes.remaining();
    bytes.get(received, size, length);
    size += length;
  }
}
