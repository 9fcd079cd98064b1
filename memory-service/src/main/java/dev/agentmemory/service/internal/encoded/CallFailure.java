package dev.agentmemory.service.internal.encoded;

import dev.agentmemory.api.encoded.EncodedAnswer.Failure;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.StatusDetails;
import io.grpc.Status;
import java.util.Optional;

/// Converts how a call failed. The daemon's own messages are passed on. Those of the gRPC library
/// are not: they name its classes.
final class CallFailure {

  private CallFailure() {}

  /// A request that cannot be read.
  static Failure of(MemoryException refused) {
    return new Failure(
        Status.Code.INVALID_ARGUMENT.name(),
        Optional.of(refused.code()),
        refused.field(),
        String.valueOf(refused.getMessage()),
        Optional.empty());
  }

  static Failure of(Status.Code status, String message) {
    return new Failure(
        status.name(), Optional.empty(), Optional.empty(), message, Optional.empty());
  }

  static Failure of(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    StatusDetails details = StatusDetails.of(failure);
    if (details.code().isEmpty()) {
      return of(status.getCode(), general(status.getCode()));
    }
    return new Failure(
        status.getCode().name(),
        details.code(),
        details.violation().map(violation -> violation.getField()),
        Optional.ofNullable(status.getDescription()).orElseGet(() -> general(status.getCode())),
        details.retryAfter());
  }

  private static String general(Status.Code status) {
    return switch (status) {
      case DEADLINE_EXCEEDED -> "the call did not end within its timeout";
      case UNAVAILABLE, CANCELLED -> "the daemon is stopping";
      case NOT_FOUND -> "it does not exist";
      case UNIMPLEMENTED -> "there is no such service or method";
      case OK,
          UNKNOWN,
          INVALID_ARGUMENT,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          INTERNAL,
          DATA_LOSS,
          UNAUTHENTICATED ->
          "the call failed";
    };
  }
}
