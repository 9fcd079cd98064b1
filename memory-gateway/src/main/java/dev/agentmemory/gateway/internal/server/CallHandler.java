package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.Admission;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.RefusedRequests;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.http.StreamedBody;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Checks a request, reads its body, calls its route and writes the answer. In this order: host and
/// origin, token, path, method, size. A route may do without the token.
final class CallHandler extends Handler.Abstract {

  private static final String HEALTH = "/health";

  /// In the lines of the log that are written while a route answers.
  private static final String REQUEST_ID = "request_id";

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private static final Duration REFUSAL_DELAY = Duration.ofMillis(500);

  /// After which a request that was refused for now may be sent again.
  private static final String RETRY_SECONDS = "1";

  /// What the names of headers that may be sent once begin with. `host`, `origin` and
  /// `authorization` are checked before.
  private static final List<String> SINGLE = List.of("memory-", "mcp-", "content-type");

  /// What a browser sends for a page that has no origin, such as a file.
  private static final String NO_ORIGIN = "null";

  private static final Refusal NO_ROOM =
      new Refusal(
          RefusalReason.MEMORY,
          429,
          ErrorCode.QUEUE_FULL,
          "body: the bodies of other requests leave no room for it; try again");

  private static final Refusal UNREAD =
      new Refusal(
          RefusalReason.MEMORY,
          429,
          ErrorCode.QUEUE_FULL,
          "too many answers are not read yet; read them, then send the request again");

  private static final Refusal TOO_MANY =
      new Refusal(
          RefusalReason.RATE,
          429,
          ErrorCode.QUEUE_FULL,
          "this connection sends more requests a second than one may (limits.client_calls);"
              + " send them more slowly");

  private final RequestChecks checks;
  private final List<Route> routes;
  private final BooleanSupplier healthy;
  private final RefusedRequests refused;
  private final ConnectionSpeeds speeds;
  private final BodyBudget bodies;
  private final BodyBudget answers;
  private final AtomicLong requests = new AtomicLong();

  /// @param healthy what `/health` says
  /// @param bodies of all requests together
  /// @param answers that are not read yet
  CallHandler(
      RequestChecks checks,
      List<Route> routes,
      BooleanSupplier healthy,
      RefusedRequests refused,
      ConnectionSpeeds speeds,
      BodyBudget bodies,
      BodyBudget answers) {
    this.checks = checks;
    this.routes =
        routes.stream()
            .sorted(Comparator.<Route>comparingInt(route -> route.prefix().length()).reversed())
            .toList();
    this.healthy = healthy;
    this.refused = refused;
    this.speeds = speeds;
    this.bodies = bodies;
    this.answers = answers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    Callback done = Callback.from(callback, () -> speeds.answered(connection));
    String path = request.getHttpURI().getDecodedPath();
    Optional<Route> route =
        route(path).filter(found -> found.takesRawPath() || !isAmbiguous(request.getHttpURI()));
    Admission admission = route.map(Route::admission).orElse(Admission.TOKEN);
    Optional<Refusal> refusal = address(request, admission);
    if (refusal.isEmpty() && HEALTH.equals(path) && request.getMethod().equals("GET")) {
      write(health(), response, done);
      return true;
    }
    if (refusal.isPresent()) {
      refuse(refusal.get(), response, done);
      return true;
    }
    Caller caller = null;
    if (admission == Admission.TOKEN) {
      List<String> sent = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
      try {
        caller = checks.caller(sent, Unix.is(request));
      } catch (MemoryException e) {
        refuse(ofToken(401, e), response, done);
        return true;
      }
      Optional<Refusal> foreign =
          checks.change(
              sent, request.getMethod(), request.getHeaders().getValuesList(HttpHeader.ORIGIN));
      if (foreign.isPresent()) {
        refuse(foreign.get(), response, done);
        return true;
      }
    }
    if (route.isEmpty()) {
      refuse(
          new Refusal(
              RefusalReason.PATH, 404, ErrorCode.NOT_FOUND, "nothing is served under this path"),
          response,
          done);
    } else if (!METHODS.contains(request.getMethod())) {
      refuse(
          new Refusal(RefusalReason.METHOD, 405, ErrorCode.INVALID_FIELD, "method: is not served"),
          response,
          done);
    } else {
      try {
        if (caller != null) {
          route.get().check(caller);
        }
      } catch (MemoryException e) {
        refuse(ofToken(403, e), response, done);
        return true;
      }
      receive(request, caller, route.get(), response, done);
    }
    return true;
  }

  private static Refusal ofToken(int status, MemoryException refused) {
    return new Refusal(
        RefusalReason.TOKEN, status, refused.code(), String.valueOf(refused.getMessage()));
  }

  private Optional<Refusal> address(Request request, Admission admission) {
    HttpFields headers = request.getHeaders();
    HttpURI target = request.getHttpURI();
    Stream<String> absolute =
        isAbsolute(request) ? Stream.of(String.valueOf(target.getAuthority())) : Stream.of();
    List<String> hosts =
        Stream.concat(headers.getValuesList(HttpHeader.HOST).stream(), absolute).toList();
    boolean missing = headers.getValuesList(HttpHeader.HOST).isEmpty();
    List<String> origins = headers.getValuesList(HttpHeader.ORIGIN);
    boolean ofAFile = admission == Admission.SECRET && origins.equals(List.of(NO_ORIGIN));
    return checks.address(
        missing ? List.of() : hosts, ofAFile ? List.of() : origins, Unix.is(request));
  }

  /// Jetty completes the target with the `Host` header, so the authority alone does not tell.
  private static boolean isAbsolute(Request request) {
    return request.getHttpURI().getAuthority() != null;
  }

  private HttpReply health() {
    return healthy.getAsBoolean()
        ? HttpReply.json("{\"status\":\"ok\"}\n")
        : HttpReply.json(503, "{\"status\":\"not serving\"}\n");
  }

  private Optional<Route> route(@Nullable String path) {
    return path == null
        ? Optional.empty()
        : routes.stream()
            .filter(route ->
                (route.prefix().endsWith("/") && route.prefix().length() > 1)
                    ? path.startsWith(route.prefix())
                    : path.equals(route.prefix()))
            .findFirst();
  }

  /// Whether a decoded part of the path may hold what separates parts, here or elsewhere.
  private static boolean isAmbiguous(HttpURI target) {
    return target.hasViolation(UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR)
        || target.hasViolation(UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING)
        || target.hasViolation(UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS);
  }

  private void receive(
      Request request, @Nullable Caller caller, Route route, Response response, Callback callback) {
    BodyBudget.Share share = bodies.new Share();
    Callback done = Callback.from(callback, share::close);
    var receiving = new AtomicBoolean(true);
    // Jetty takes an idle connection for a failed one, also while the route works.
    request.addIdleTimeoutListener(_ -> receiving.get());
    Connection connection = request.getConnectionMetaData().getConnection();
    var _ =
        BodyReader.read(request, route.mostBytes(), share)
            .whenComplete((body, failure) -> {
              receiving.set(false);
              speeds.received(connection);
              if (failure != null) {
                done.failed(failure);
                return;
              }
              switch (body) {
                case BodyReader.Body.Whole(var bytes) -> {
                  String id = "h" + requests.incrementAndGet();
                  var _ =
                      answer(route, request, caller, bytes, id)
                          .whenComplete((answer, fault) -> {
                            // Before the answer is sent: whoever has it may send the next body.
                            share.close();
                            HttpReply reply = fault == null ? answer : failed(id, fault);
                            reply.stream()
                                .ifPresentOrElse(
                                    stream -> stream(reply, stream, request, response, done),
                                    () -> send(reply, response, done));
                          });
                }
                case BodyReader.Body.TooLarge() -> refuseBody(tooLarge(route), response, done);
                case BodyReader.Body.OverBudget() -> refuseLater(NO_ROOM, request, response, done);
              }
            });
  }

  /// Refuses a request of a connection that sends too many.
  boolean refuseRate(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    refuseLater(
        TOO_MANY, request, response, Callback.from(callback, () -> speeds.answered(connection)));
    return true;
  }

  /// Refuses a request after a delay: a client that connects and sends again at once would keep the
  /// server busy. No thread waits, and nothing is read from the connection meanwhile.
  private void refuseLater(Refusal refusal, Request request, Response response, Callback done) {
    var _ =
        request
            .getComponents()
            .getScheduler()
            .schedule(
                () -> refuseBody(refusal, response, done),
                REFUSAL_DELAY.toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /// The rest of the body is not read.
  private void refuseBody(Refusal refusal, Response response, Callback done) {
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    refuse(refusal, response, done);
  }

  private static Refusal tooLarge(Route route) {
    return new Refusal(
        RefusalReason.SIZE,
        413,
        ErrorCode.INVALID_FIELD,
        "body: is larger than " + route.mostBytes() + " bytes");
  }

  private static CompletableFuture<HttpReply> answer(
      Route route, Request request, @Nullable Caller caller, byte[] body, String id) {
    try (var _ = MDC.putCloseable(REQUEST_ID, id)) {
      return route.answer(call(request, caller, body));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// The answer is in memory until its client has read it. Jetty cuts off a client that reads
  /// nothing for the idle timeout.
  private void send(HttpReply reply, Response response, Callback done) {
    BodyBudget.Share unread = answers.new Share();
    if (unread.add(reply.body().length)) {
      write(reply, response, Callback.from(done, unread::close));
    } else {
      refuse(UNREAD, response, done);
    }
  }

  /// What a streamed body has not sent yet counts like an answer that is not read yet.
  private void stream(
      HttpReply reply, StreamedBody body, Request request, Response response, Callback done) {
    head(reply, response);
    var writer =
        new StreamWriter(
            response, request.getConnectionMetaData().getConnection(), answers.new Share(), done);
    // Also if the client is gone: the body then gives back what it holds.
    var _ = writer.write(new byte[0]).whenComplete((_, _) -> body.start(writer));
  }

  private static HttpReply failed(String id, Throwable failure) {
    try (var _ = MDC.putCloseable(REQUEST_ID, id)) {
      return ErrorReplies.of(failure);
    }
  }

  private static Map<String, String> query(Request request) {
    Fields fields;
    try {
      fields = Request.extractQueryParameters(request);
    } catch (RuntimeException e) {
      throw MemoryException.invalid("query", "cannot be decoded; send percent-encoded UTF-8");
    }
    Map<String, String> query = new HashMap<>();
    fields.forEach(field -> {
      if (field.getValues().size() > 1) {
        throw MemoryException.invalid("query", "has a parameter several times; send each once");
      }
      query.put(field.getName(), field.getValue());
    });
    return query;
  }

  /// Of several, programs on the way could go by another one than the daemon does.
  private static void checkRepeated(HttpFields headers) {
    Set<String> seen = new HashSet<>();
    for (HttpField header : headers) {
      String name = header.getLowerCaseName();
      if (SINGLE.stream().anyMatch(name::startsWith) && !seen.add(name)) {
        throw MemoryException.invalid(name, "is sent several times; send it once");
      }
    }
  }

  private static HttpCall call(Request request, @Nullable Caller caller, byte[] body) {
    HttpFields headers = request.getHeaders();
    checkRepeated(headers);
    Map<String, String> query = query(request);
    return new HttpCall(
        request.getMethod(),
        Objects.requireNonNull(request.getHttpURI().getDecodedPath()),
        Objects.requireNonNull(request.getHttpURI().getPath()),
        query,
        name -> Optional.ofNullable(headers.get(name)),
        body,
        Unix.is(request),
        caller,
        request.getConnectionMetaData().getId());
  }

  private void refuse(Refusal refusal, Response response, Callback done) {
    refused.add(refusal.reason());
    if (refusal.status() == 401) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    }
    write(ErrorReplies.of(refusal.status(), refusal.code(), refusal.message()), response, done);
  }

  static void write(HttpReply reply, Response response, Callback done) {
    head(reply, response);
    if (reply.status() != 204 && reply.status() != 304) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    }
    response.write(true, ByteBuffer.wrap(reply.body()), done);
  }

  private static void head(HttpReply reply, Response response) {
    response.setStatus(reply.status());
    HttpFields.Mutable headers = response.getHeaders();
    if (!reply.contentType().isEmpty()) {
      headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
    }
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    if (reply.status() == 429) {
      headers.put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    }
    reply.headers().forEach(headers::put);
  }
}
