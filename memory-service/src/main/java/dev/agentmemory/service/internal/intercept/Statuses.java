package dev.agentmemory.service.internal.intercept;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.StatusDetails;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Converts errors to gRPC statuses. Errors that a caller can act on are returned in full. Internal
/// errors are logged with an incident number, and the caller gets only that number.
public final class Statuses {

  private static final Logger log = LoggerFactory.getLogger(Statuses.class);
  private static final Duration RETRY_DELAY = Duration.newBuilder().setNanos(100_000_000).build();

  /// Retry delay when a user has to free space first.
  private static final Duration FULL_DELAY = Duration.newBuilder().setSeconds(5).build();

  /// What a message may take in the trailers of a call, where it stands three times. Clients refuse
  /// trailers of more than 8 KiB, and then know nothing of the error.
  private static final int MOST_ENCODED = 7_000;

  /// Of the other details.
  private static final int DETAILS = 300;

  private final AtomicLong incidents = new AtomicLong();

  StatusRuntimeException of(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StatusRuntimeException status) {
      return status;
    }
    if (cause instanceof MemoryException memory) {
      return of(memory);
    }
    Optional<MemoryException> shortage = DirectMemoryShortage.of(cause);
    if (shortage.isPresent()) {
      return of(shortage.get());
    }
    return answer(
        ErrorCode.INTERNAL, incident("internal error in the daemon", cause), Optional.empty());
  }

  private StatusRuntimeException of(MemoryException failure) {
    ErrorCode code = failure.code();
    return switch (code) {
      case INVALID_FIELD,
          UNAUTHENTICATED,
          FORBIDDEN,
          NOT_FOUND,
          EVENT_CONFLICT,
          CONFLICT,
          ILLEGAL_TRANSITION,
          QUOTA_EXCEEDED,
          UNSUPPORTED_FORMAT,
          QUEUE_FULL,
          DISK_FULL,
          CLOSED,
          NOT_OWNER,
          WORKSPACE_UNUSABLE,
          STORE_DAMAGED,
          MODEL_UNAVAILABLE,
          UNREACHABLE ->
          answer(code, message(failure), failure.field());
      case INVALID_TOKEN -> answer(code, message(failure), Optional.of(PageRequest.TOKEN));
      case STORAGE_FAILED ->
          answer(
              code,
              incident(
                  "the disk or the storage engine reported an error;"
                      + " the write was not acknowledged",
                  failure),
              Optional.empty());
      case CORRUPT_RECORD ->
          answer(
              code,
              incident("a stored record cannot be read; run `memory doctor`", failure),
              Optional.empty());
      case INTERNAL ->
          answer(code, incident("internal error in the daemon", failure), Optional.empty());
    };
  }

  private static StatusRuntimeException answer(
      ErrorCode code, String told, Optional<String> field) {
    String message = bounded(told);
    var status =
        com.google.rpc.Status.newBuilder().setCode(status(code).value()).setMessage(message);
    status.addDetails(
        Any.pack(
            ErrorInfo.newBuilder().setReason(code.name()).setDomain(StatusDetails.DOMAIN).build()));
    field.ifPresent(path -> status.addDetails(Any.pack(violation(path, message))));
    // A full quota does not empty itself, so a caller must not simply repeat the call.
    boolean passes = code.kind() == ErrorCode.Kind.BUSY && code != ErrorCode.QUOTA_EXCEEDED;
    if (passes || code == ErrorCode.NOT_OWNER) {
      Duration delay = code == ErrorCode.DISK_FULL ? FULL_DELAY : RETRY_DELAY;
      status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  private static Status.Code status(ErrorCode code) {
    if (code == ErrorCode.UNAUTHENTICATED) {
      return Status.Code.UNAUTHENTICATED;
    }
    if (code == ErrorCode.FORBIDDEN) {
      return Status.Code.PERMISSION_DENIED;
    }
    return switch (code.kind()) {
      case CALLER -> Status.Code.INVALID_ARGUMENT;
      case MISSING -> Status.Code.NOT_FOUND;
      case CONFLICT ->
          code == ErrorCode.EVENT_CONFLICT
              ? Status.Code.ALREADY_EXISTS
              : Status.Code.FAILED_PRECONDITION;
      case BUSY -> Status.Code.RESOURCE_EXHAUSTED;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
      case CORRUPT -> Status.Code.DATA_LOSS;
      case BUG -> Status.Code.INTERNAL;
    };
  }

  private static BadRequest violation(String field, String message) {
    String prefix = field + ": ";
    return BadRequest.newBuilder()
        .addFieldViolations(
            BadRequest.FieldViolation.newBuilder()
                .setField(field)
                .setDescription(
                    message.startsWith(prefix) ? message.substring(prefix.length()) : message))
        .build();
  }

  private String incident(String message, Throwable failure) {
    long number = incidents.incrementAndGet();
    log.error("incident {}: {}", number, message, failure);
    return message + "; see the daemon's log, incident " + number;
  }

  /// A message may quote what the caller has sent.
  private static String bounded(String message) {
    int end = message.length();
    while (encoded(message.substring(0, end)) > MOST_ENCODED) {
      end = end * 9 / 10;
    }
    if (end == message.length()) {
      return message;
    }
    int whole = Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end;
    return message.substring(0, whole) + " ... (shortened)";
  }

  /// In bytes: once with `%41` for each byte that is not plain, twice in base 64.
  private static int encoded(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    int percent = 0;
    for (byte each : bytes) {
      percent += each >= ' ' && each <= '~' && each != '%' ? 1 : 3;
    }
    return percent + (2 * bytes.length + DETAILS) * 4 / 3;
  }

  private static String message(MemoryException failure) {
    return Optional.ofNullable(failure.getMessage()).orElse(failure.code().name());
  }
}
