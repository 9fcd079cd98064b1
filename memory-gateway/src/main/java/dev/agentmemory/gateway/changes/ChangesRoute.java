package dev.agentmemory.gateway.changes;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.changes.ChangeFeed;
import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.http.StreamedBody;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// `GET /api/v1/changes`: server-sent events that say what was changed in a workspace, without the
/// content. One thread, `memory-changes`, looks for changes of all streams. It is started with the
/// first one, and does nothing while there is none.
public final class ChangesRoute implements Route, AutoCloseable {

  private static final String AFTER = "after";
  private static final String LAST_EVENT = "last-event-id";
  private static final String WORKSPACE = "memory-workspace";
  private static final Duration FOREVER = Duration.ofDays(1);

  private final Ticker ticker;
  private final ChangeFeed feed;
  private final StreamLimits limits;
  private final BackgroundLoop loop = new BackgroundLoop("memory-changes", this::turn);
  private final Mutex lock = new Mutex();
  private final List<ChangeStream> streams = new ArrayList<>();
  private boolean started;
  private boolean closed;

  /// @param ticker measures how long clients leave unread what was sent
  public ChangesRoute(Ticker ticker, ChangeFeed feed, StreamLimits limits) {
    this.ticker = ticker;
    this.feed = feed;
    this.limits = limits;
  }

  @Override
  public String prefix() {
    return "/api/v1/changes";
  }

  @Override
  public long mostBytes() {
    return 0;
  }

  @Override
  public void check(Caller caller) {
    caller.require(Role.READER);
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (!call.method().equals("GET")) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only GET is served")
              .withHeader("Allow", "GET"));
    }
    call.query().keySet().stream()
        .filter(name -> !name.equals(AFTER))
        .findFirst()
        .ifPresent(name -> {
          throw MemoryException.invalid(name, "is no parameter of this operation; it has after");
        });
    Optional<WorkspaceName> asked = call.header(WORKSPACE).map(ChangesRoute::workspace);
    call.caller().require(asked);
    demandRoom(call.caller().token());
    Optional<String> after =
        call.header(LAST_EVENT).or(() -> Optional.ofNullable(call.query().get(AFTER)));
    return feed.follow(asked)
        .thenApply(reader ->
            HttpReply.streamed(
                "text/event-stream", writer -> open(call.caller().token(), reader, writer, after)));
  }

  private static WorkspaceName workspace(String name) {
    return WorkspaceName.of(name)
        .orElseThrow(() -> MemoryException.invalid(WORKSPACE, "is not the name of a workspace"));
  }

  private void demandRoom(String token) {
    try (var _ = lock.hold()) {
      if (closed) {
        throw new MemoryException(ErrorCode.CLOSED, "the daemon is stopping");
      }
      if (!hasRoom(token)) {
        throw new MemoryException(
            ErrorCode.QUEUE_FULL, "too many streams of changes are open; close one");
      }
    }
  }

  /// Under the lock.
  private boolean hasRoom(String token) {
    long same = streams.stream().filter(stream -> stream.token().equals(token)).count();
    return streams.size() < limits.streams() && same < limits.ofToken();
  }

  /// Others may have taken the room since it was looked for.
  private void open(
      String token, ChangeReader reader, StreamedBody.Writer writer, Optional<String> after) {
    try (var _ = lock.hold()) {
      if (closed || !hasRoom(token)) {
        reader.close();
        writer.cut();
        return;
      }
      streams.add(new ChangeStream(limits, token, reader, writer, after, ticker.nanos()));
      if (!started) {
        started = true;
        loop.start();
      }
    }
    loop.wake();
  }

  private Duration turn() {
    long now = ticker.nanos();
    try (var _ = lock.hold()) {
      streams.removeIf(stream -> {
        boolean goesOn = stream.step(now);
        if (!goesOn) {
          stream.close();
        }
        return !goesOn;
      });
      return streams.isEmpty() ? FOREVER : limits.look();
    }
  }

  /// How many clients follow a workspace.
  public int open() {
    try (var _ = lock.hold()) {
      return streams.size();
    }
  }

  /// Ends all streams. To be called before the server is closed, which waits for them.
  @Override
  public void close() {
    try (var _ = lock.hold()) {
      closed = true;
      streams.forEach(ChangeStream::close);
      streams.clear();
    }
    loop.close();
  }
}
