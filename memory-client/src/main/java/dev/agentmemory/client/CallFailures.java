package dev.agentmemory.client;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.StatusDetails;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts the status of a call to the program's own exception.
final class CallFailures {

  /// The transport's message when the other side has not answered a ping.
  private static final String KEEP_ALIVE = "Keepalive failed";

  /// The system's message when the other side accepts no more bytes. It ends a full connection
  /// before the transport sends a ping.
  private static final String TIMED_OUT = "Connection timed out";

  /// The daemon's message over HTTP when it takes no more calls.
  private static final String STOPPING = "the daemon is stopping";

  /// Beginning of what the transport says when the other side does not answer in HTTP/2.
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  private final Endpoint endpoint;

  CallFailures(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  MemoryException of(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return of(failure.getCause());
    }
    if (failure instanceof MemoryException known) {
      return known;
    }
    Status status = Status.fromThrowable(failure);
    String message = Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
    StatusDetails details = StatusDetails.of(failure);
    return details
        .code()
        .map(code -> explained(code, message, details))
        .orElseGet(() -> unexplained(status.getCode(), message, failure));
  }

  /// A failure that the daemon explained.
  private static MemoryException explained(ErrorCode code, String message, StatusDetails details) {
    return details
        .violation()
        .filter(_ -> code == ErrorCode.INVALID_FIELD)
        .map(found -> MemoryException.invalid(found.getField(), found.getDescription()))
        .orElseGet(() -> new MemoryException(code, message));
  }

  /// A failure of the transport, or of a server that is not an agent-memory daemon.
  private MemoryException unexplained(Status.Code code, String message, Throwable failure) {
    if (isSaid(failure, NO_HTTP2)) {
      return new MemoryException(ErrorCode.UNREACHABLE, noDaemon(), failure);
    }
    Optional<MemoryException> told =
        causes(failure)
            .filter(MemoryException.class::isInstance)
            .map(MemoryException.class::cast)
            .findFirst();
    if (told.isPresent()) {
      return told.get();
    }
    return switch (code) {
      case UNAVAILABLE ->
          new MemoryException(ErrorCode.UNREACHABLE, unreachable(failure, message), failure);
      case DEADLINE_EXCEEDED ->
          new MemoryException(
              ErrorCode.UNREACHABLE,
              "the daemon at " + endpoint + " did not answer in time; see `memory status`",
              failure);
      case UNIMPLEMENTED ->
          new MemoryException(
              ErrorCode.UNSUPPORTED_FORMAT,
              "the server at "
                  + endpoint
                  + " does not support this call; check whether the daemon"
                  + " is older than this client",
              failure);
      case UNAUTHENTICATED -> new MemoryException(ErrorCode.UNAUTHENTICATED, message, failure);
      case PERMISSION_DENIED -> new MemoryException(ErrorCode.FORBIDDEN, message, failure);
      default ->
          new MemoryException(
              ErrorCode.INTERNAL, "the call to " + endpoint + " failed with " + message, failure);
    };
  }

  /// Why there is no answer, as far as the connection shows it.
  private String unreachable(Throwable failure, String message) {
    if (isCause(failure, ConnectException.class)) {
      return "no daemon answers at " + endpoint + "; start one with `memory start`";
    }
    if (isCause(failure, ProtocolException.class)) {
      return noDaemon();
    }
    if (message.equals(STOPPING)) {
      return "the daemon at " + endpoint + " is stopping; start it again with `memory start`";
    }
    return message.startsWith(KEEP_ALIVE) || isSaid(failure, TIMED_OUT)
        ? "the daemon at " + endpoint + " does not respond any more; see `memory status`"
        : "the connection to the daemon at "
            + endpoint
            + " was lost before the response; see `memory status`";
  }

  private String noDaemon() {
    return "the server at "
        + endpoint
        + " is not an agent-memory daemon; start one with `memory start`";
  }

  private static boolean isSaid(Throwable failure, String words) {
    return causes(failure)
        .map(Throwable::getMessage)
        .anyMatch(message -> message != null && message.contains(words));
  }

  private static boolean isCause(Throwable failure, Class<? extends Throwable> type) {
    return causes(failure).anyMatch(type::isInstance);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, CallFailures::cause)
        .map(Objects::requireNonNull);
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure == null ? null : failure.getCause();
  }
}
