package dev.agentmemory.gateway.internal.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Reads a body without holding a thread, up to a bound.
final class BodyReader implements Runnable {

  private final Request request;
  private final long mostBytes;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();

  private BodyReader(Request request, long mostBytes) {
    this.request = request;
    this.mostBytes = mostBytes;
  }

  /// @return the body, or empty if it is longer than the bound; fails if it does not arrive
  static CompletableFuture<Optional<byte[]>> read(Request request, long mostBytes) {
    if (request.getLength() > mostBytes) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var reader = new BodyReader(request, mostBytes);
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
    if (fits) {
      var copy = new byte[bytes.remaining()];
      bytes.get(copy);
      received.writeBytes(copy);
    }
    boolean last = chunk.isLast();
    chunk.release();
    if (!fits) {
      body.complete(Optional.empty());
    } else if (last) {
      body.complete(Optional.of(received.toByteArray()));
    }
  }
}
