package dev.agentmemory.gateway.internal.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Reads a body without holding a thread, up to a bound.
final class BodyReader implements Runnable {

  private final Request request;
  private final long mostBytes;
  private final BodyBudget.Share share;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<Body> body = new CompletableFuture<>();

  /// What came of reading.
  sealed interface Body {

    record Whole(ByteArrayOutputStream bytes) implements Body {}

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
    boolean fits = received.size() + (long) bytes.remaining() <= mostBytes;
    boolean hasRoom = fits && share.add(bytes.remaining());
    if (hasRoom) {
      var copy = new byte[bytes.remaining()];
      bytes.get(copy);
      received.writeBytes(copy);
    }
    boolean last = chunk.isLast();
    chunk.release();
    if (!fits) {
      body.complete(new Body.TooLarge());
    } else if (!hasRoom) {
      body.complete(new Body.OverBudget());
    } else if (last) {
      body.complete(new Body.Whole(received));
    }
  }
}
