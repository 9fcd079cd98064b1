package dev.agentmemory.gateway.changes;

import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.api.changes.WorkspaceChanges;
import dev.agentmemory.gateway.http.StreamedBody.Writer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// One client that follows a workspace. At most one part is not sent yet; what is changed meanwhile
/// waits in the change log. Used by one thread.
final class ChangeStream {

  private final StreamLimits limits;
  private final String token;
  private final ChangeReader reader;
  private final Writer writer;
  private String position = "";
  private long written;
  private CompletableFuture<Void> sending;

  /// Sends the first event.
  ///
  /// @param token that its request carried
  /// @param after the position that the client has come to, if any
  /// @param now of the ticker, in nanoseconds
  ChangeStream(
      StreamLimits limits,
      String token,
      ChangeReader reader,
      Writer writer,
      Optional<String> after,
      long now) {
    this.limits = limits;
    this.token = token;
    this.reader = reader;
    this.writer = writer;
    WorkspaceChanges changes = reader.after(after.orElseGet(reader::position));
    position = changes.position();
    written = now;
    sending = writer.write(ServerSentEvents.first(changes));
  }

  String token() {
    return token;
  }

  /// Sends what was changed since.
  ///
  /// @return whether it goes on
  boolean step(long now) {
    if (!sending.isDone()) {
      if (now - written < limits.unread().toNanos()) {
        return true;
      }
      writer.cut();
      return false;
    }
    if (sending.isCompletedExceptionally()) {
      return false;
    }
    WorkspaceChanges changes = reader.after(position);
    if (changes.isReset() || !changes.items().isEmpty()) {
      send(ServerSentEvents.of(changes), now);
    } else if (now - written >= limits.heartbeat().toNanos()) {
      send(ServerSentEvents.heartbeat(), now);
    }
    position = changes.position();
    return true;
  }

  private void send(byte[] part, long now) {
    written = now;
    sending = writer.write(part);
  }

  /// The stream was ended, or has to end now.
  void close() {
    reader.close();
    if (sending.isDone()) {
      writer.end();
    } else {
      writer.cut();
    }
  }
}
