package dev.agentmemory.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts the status of a call to the program's own exception.
final class CallFailures {

  private static final String DOMAIN = "agent-memory";

  /// The transport's message when the other side has not answered a ping.
  private static final String KEEP_ALIVE = "Keepalive failed";

  /// The system's message when the other side accepts no more bytes. It ends a full connection
  /// before the transport sends a ping.
  private static final String TIMED_OUT = "Connection timed out";

  private final Endpoint endpoint;

  CallFailures(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  MemoryException of(Throwable failure) {
    if (failure instanceof MemoryException known) {
      return known;
    }
    Status status = Status.fromThrowable(failure);
    String message = Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
    com.google.rpc.@Nullable Status details = StatusProto.fromThrowable(failure);
    List<Any> parts = details == null ? List.of() : details.getDetailsList();
    return code(parts)
        .map(code -> explained(code, message, parts))
        .orElseGet(() -> unexplained(status.getCode(), message, failure));
  }

  /// A failure that the daemon explained.
  private static MemoryException explained(ErrorCode code, String message, List<Any> details) {
    Optional<BadRequest.FieldViolation> violation =
        detail(details, BadRequest.class)
            .flatMap(request -> request.getFieldViolationsList().stream().findFirst());
    if (code == ErrorCode.INVALID_FIELD && violation.isPresent()) {
      return MemoryException.invalid(violation.get().getField(), violation.get().getDescription());
    }
    return new MemoryException(code, message);
  }

  /// A failure of the transport, or of a server that is not an agent-memory daemon.
  private MemoryException unexplained(Status.Code code, String message, Throwable failure) {
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
      return "the server at "
          + endpoint
          + " is not an agent-memory daemon; start one with `memory start`";
    }
    return message.startsWith(KEEP_ALIVE) || isTimedOut(failure)
        ? "the daemon at " + endpoint + " does not respond any more; see `memory status`"
        : "the connection to the daemon at "
            + endpoint
            + " was lost before the response; see `memory status`";
  }

  private static boolean isTimedOut(Throwable failure) {
    return causes(failure)
        .map(Throwable::getMessage)
        .anyMatch(message -> message != null && message.contains(TIMED_OUT));
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

  private static Optional<ErrorCode> code(List<Any> details) {
    return detail(details, ErrorInfo.class)
        .filter(info -> info.getDomain().equals(DOMAIN))
        .flatMap(info ->
            Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(info.getReason()))
                .findFirst());
  }

  private static <T extends Message> Optional<T> detail(List<Any> details, Class<T> type) {
    try {
      for (Any detail : details) {
        if (detail.is(type)) {
          return Optional.of(detail.unpack(type));
        }
      }
      return Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
