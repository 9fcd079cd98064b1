package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves all revisions at one path, with one set of methods.
///
/// Idea: a request is of revision 2026-07-28 when its header or its metadata names that revision,
/// or one that is not known; every other is of 2025. Nothing is kept between two requests in either
/// case: a client of 2025 gets a session id because clients expect one, but the id stands for
/// nothing. So no session can leak, none is lost when the daemon restarts, and nothing has to be
/// swept. The price is that the server never begins a conversation: it opens no stream for `GET`.
///
/// Any thread may call it. A body that is no request is answered with our own error.
public final class McpEndpoint implements Route {

  static final String VERSION_HEADER = "MCP-Protocol-Version";
  private static final Logger LOG = LoggerFactory.getLogger(McpEndpoint.class);

  /// Most messages of one batch, which only revision 2025-03-26 knows.
  static final int MOST_OF_A_BATCH = 50;

  private final String path;
  private final long mostBytes;
  private final StatelessProtocol stateless;
  private final InitializedProtocol initialized;

  /// @param path such as `/mcp`
  /// @param mostBytes of a request's body
  /// @param random for session ids, which need not be secret
  public McpEndpoint(String path, long mostBytes, RandomGenerator random, McpFeatures features) {
    this.path = path;
    this.mostBytes = mostBytes;
    this.stateless = new StatelessProtocol(features);
    this.initialized = new InitializedProtocol(random, features);
  }

  @Override
  public String prefix() {
    return path;
  }

  @Override
  public long mostBytes() {
    return mostBytes;
  }

  /// Each tool is checked when it is called.
  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (!call.method().equals("POST")) {
      return done(
          withHeader(
              refused(null, McpError.invalidRequest("use POST; there is no stream to open")),
              405,
              "allow",
              "POST"));
    }
    Optional<Object> body = Json.read(call.body());
    if (body.isEmpty()) {
      return done(refused(null, McpError.unreadable()));
    }
    return switch (body.get()) {
      case Map<?, ?> message -> message(call, McpRequest.object(message));
      case List<?> batch -> batch(call, batch);
      default -> done(refused(null, McpError.invalidRequest("expected an object")));
    };
  }

  private CompletableFuture<HttpReply> message(HttpCall call, Map<String, Object> message) {
    Optional<String> version = call.header(VERSION_HEADER).map(String::strip);
    Object id = message.get("id");
    if (!(id == null || id instanceof String || id instanceof Number)) {
      return done(refused(null, McpError.invalidRequest("id is neither a text nor a number")));
    }
    if (!(message.get("method") instanceof String method)) {
      boolean response = message.containsKey("result") || message.containsKey("error");
      return done(
          response
              ? HttpReply.empty(202)
              : refused(id, McpError.invalidRequest("method is missing")));
    }
    Optional<String> named =
        Optional.ofNullable(
                McpRequest.object(McpRequest.object(message.get("params")).get(McpRequest.META))
                    .get(StatelessProtocol.VERSION))
            .map(String::valueOf);
    var incoming = new Incoming(call, id, method, McpRequest.object(message.get("params")));
    return isStateless(version, named)
        ? guarded(incoming, stateless.answer(incoming, version, named))
        : guarded(incoming, initialized.answer(incoming));
  }

  private static boolean isStateless(Optional<String> header, Optional<String> named) {
    return header.filter(McpEndpoint::isNotOf2025).isPresent()
        || named.filter(McpEndpoint::isNotOf2025).isPresent();
  }

  private static boolean isNotOf2025(String version) {
    return !McpRevision.of(version).map(McpRevision::initializes).orElse(false);
  }

  /// Revision 2025-03-26 knows arrays of messages. Its clients send no header.
  private CompletableFuture<HttpReply> batch(HttpCall call, List<?> batch) {
    boolean known =
        call.header(VERSION_HEADER)
            .map(version -> version.strip().equals(McpRevision.R2025_03_26.date()))
            .orElse(true);
    if (!known || batch.isEmpty() || batch.size() > MOST_OF_A_BATCH) {
      return done(
          refused(
              null,
              McpError.invalidRequest(
                  "send one message; only revision 2025-03-26 has arrays, of at most "
                      + MOST_OF_A_BATCH)));
    }
    List<CompletableFuture<HttpReply>> replies = new ArrayList<>();
    for (Object message : batch) {
      replies.add(
          message instanceof Map<?, ?> map
              ? message(call, McpRequest.object(map))
              : done(refused(null, McpError.invalidRequest("expected an object"))));
    }
    return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
        .thenApply(_ -> together(replies.stream().map(CompletableFuture::join).toList()));
  }

  private static HttpReply together(List<HttpReply> replies) {
    List<Object> answers =
        replies.stream().flatMap(reply -> Json.read(reply.body()).stream()).toList();
    return answers.isEmpty() ? HttpReply.empty(202) : HttpReply.json(Json.write(answers));
  }

  /// No answer shows an exception.
  private static CompletableFuture<HttpReply> guarded(
      Incoming incoming, CompletableFuture<HttpReply> reply) {
    return reply.exceptionally(failure -> {
      LOG.error("MCP request {} failed", incoming.method(), failure);
      return refused(incoming.id(), McpError.internal());
    });
  }

  static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  static HttpReply refused(@Nullable Object id, McpError error) {
    return HttpReply.json(error.status(), Json.write(Incoming.failure(id, error)));
  }

  private static HttpReply withHeader(HttpReply reply, int status, String name, String value) {
    Map<String, String> headers = new HashMap<>(reply.headers());
    headers.put(name, value);
    return new HttpReply(status, reply.contentType(), reply.body(), headers);
  }
}
