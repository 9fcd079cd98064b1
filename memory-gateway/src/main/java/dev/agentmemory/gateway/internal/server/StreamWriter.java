package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.gateway.http.StreamedBody;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Writes the parts of a streamed body to a connection.
final class StreamWriter implements StreamedBody.Writer {

  private final Response response;
  private final Connection connection;
  private final BodyBudget.Share unsent;
  private final Callback done;
  private final AtomicBoolean ended = new AtomicBoolean();

  /// @param unsent counts the part that is being sent
  /// @param done completes when the answer has ended
  StreamWriter(Response response, Connection connection, BodyBudget.Share unsent, Callback done) {
    this.response = response;
    this.connection = connection;
    this.unsent = unsent;
    this.done = done;
  }

  @Override
  public CompletableFuture<Void> write(byte[] part) {
    var written = new CompletableFuture<Void>();
    if (ended.get()) {
      written.completeExceptionally(new EOFException("the answer has ended"));
    } else if (!unsent.add(part.length)) {
      written.completeExceptionally(new EOFException("too many answers are not read yet"));
      cut();
    } else {
      response.write(
          /* last= */ false,
          ByteBuffer.wrap(part),
          Callback.from(
              () -> {
                unsent.close();
                written.complete(null);
              },
              failure -> {
                unsent.close();
                written.completeExceptionally(failure);
                fail(failure);
              }));
    }
    return written;
  }

  @Override
  public void end() {
    if (ended.compareAndSet(false, true)) {
      response.write(/* last= */ true, ByteBuffer.allocate(0), done);
    }
  }

  @Override
  public void cut() {
    if (ended.compareAndSet(false, true)) {
      // The write that is in progress fails with it.
      connection.getEndPoint().close();
      unsent.close();
      done.failed(new EOFException("the connection was cut"));
    }
  }

  private void fail(Throwable failure) {
    if (ended.compareAndSet(false, true)) {
      done.failed(failure);
    }
  }
}
