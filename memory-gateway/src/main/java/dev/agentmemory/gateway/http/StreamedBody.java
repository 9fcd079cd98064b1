package dev.agentmemory.gateway.http;

import java.util.concurrent.CompletableFuture;

/// The body of an answer that is made while it is sent. No thread of the server waits for it.
@FunctionalInterface
public interface StreamedBody {

  /// Called once, when the head of the answer was sent, or could not be. Returns at once; parts can
  /// be written later and on other threads.
  void start(Writer writer);

  /// Sends the parts of a body.
  interface Writer {

    /// Sends a part. To be called when the part before was sent. A part that finds no room in the
    /// memory for answers that are not read yet cuts the connection.
    ///
    /// @return completes when the connection has taken it; fails when the client is gone
    CompletableFuture<Void> write(byte[] part);

    /// Ends the body in order. Nothing is written afterwards.
    void end();

    /// Cuts the connection: the client sees that the body is not complete. Does nothing after the
    /// end.
    void cut();
  }
}
