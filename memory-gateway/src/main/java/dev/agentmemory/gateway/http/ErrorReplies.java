package dev.agentmemory.gateway.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bodies of all errors: `{"error":{"code":"NOT_FOUND","message":"..."}}`, with `field` if one
/// is to blame; that of a call of the API also has the `status` that gRPC names. What a caller
/// cannot act on is logged under a number, and the caller gets the number only. No body holds a
/// path of this machine.
public final class ErrorReplies {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorReplies.class);
  private static final Pattern PATH = Pattern.compile("(?<![\\w`:/])/(?:[^\\s/;,'\"`]+/)+");
  private static final AtomicLong INCIDENTS = new AtomicLong();

  private ErrorReplies() {}

  public static HttpReply of(int status, ErrorCode code, String message) {
    return HttpReply.json(status, body(code, message, Optional.empty()));
  }

  /// The answer to a request whose route failed.
  public static HttpReply of(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    cause = DirectMemoryShortage.of(cause).<Throwable>map(Function.identity()).orElse(cause);
    if (!(cause instanceof MemoryException known)) {
      return incident(ErrorCode.INTERNAL, cause);
    }
    String message = Optional.ofNullable(known.getMessage()).orElse(known.code().name());
    return switch (known.code().kind()) {
      case CALLER, MISSING, CONFLICT, BUSY -> {
        if (PATH.matcher(message).find()) {
          yield incident(known.code(), known);
        }
        yield HttpReply.json(status(known.code()), body(known.code(), message, known.field()));
      }
      case UNAVAILABLE, CORRUPT, BUG -> incident(known.code(), known);
    };
  }

  /// A message without the paths of this machine: of each only the last name is left.
  public static String withoutPaths(String message) {
    return PATH.matcher(message).replaceAll(".../");
  }

  /// The answer to a call of the API that failed. Its code is the name of the status if the failure
  /// has no reason.
  public static HttpReply of(EncodedAnswer.Failure failure) {
    String code = failure.reason().map(ErrorCode::name).orElse(failure.status());
    String message = withoutPaths(failure.message());
    Map<String, String> headers =
        failure
            .retryAfter()
            .map(delay -> Map.of("Retry-After", Long.toString(delay.plusMillis(999).toSeconds())))
            .orElse(Map.of());
    String body = body(code, message, failure.field(), Optional.of(failure.status()));
    int status =
        failure.reason().map(ErrorReplies::status).orElseGet(() -> status(failure.status()));
    return new HttpReply(
        status, "application/json", body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /// Of a failure without a reason.
  private static int status(String name) {
    return switch (name) {
      case "UNIMPLEMENTED" -> 404;
      case "DEADLINE_EXCEEDED" -> 504;
      case "RESOURCE_EXHAUSTED" -> 429;
      case "CANCELLED", "UNAVAILABLE" -> 503;
      default -> 500;
    };
  }

  private static HttpReply incident(ErrorCode code, Throwable failure) {
    long number = INCIDENTS.incrementAndGet();
    LOG.error("incident {} of a request over HTTP", number, failure);
    String message =
        switch (code.kind()) {
          case UNAVAILABLE -> "the daemon cannot serve this now; `memory status` tells why";
          case CORRUPT -> "stored data is damaged; run `memory doctor`";
          case CALLER, MISSING, CONFLICT, BUSY -> "the request was refused";
          case BUG -> "internal error in the daemon";
        };
    return of(status(code), code, message + " (incident h" + number + " in the daemon's log)");
  }

  private static int status(ErrorCode code) {
    if (code == ErrorCode.UNAUTHENTICATED) {
      return 401;
    }
    if (code == ErrorCode.FORBIDDEN) {
      return 403;
    }
    return switch (code.kind()) {
      case CALLER -> 400;
      case MISSING -> 404;
      case CONFLICT -> 409;
      case BUSY -> 429;
      case UNAVAILABLE -> 503;
      case CORRUPT, BUG -> 500;
    };
  }

  private static String body(ErrorCode code, String message, Optional<String> field) {
    return body(code.name(), message, field, Optional.empty());
  }

  private static String body(
      String code, String message, Optional<String> field, Optional<String> status) {
    return "{\"error\":{\"code\":\""
        + code
        + "\",\"message\":"
        + quoted(message)
        + field.map(path -> ",\"field\":" + quoted(path)).orElse("")
        + status.map(name -> ",\"status\":" + quoted(name)).orElse("")
        + "}}\n";
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
