package dev.agentmemory.wire;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.agentmemory.types.ErrorCode;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the daemon adds to the status of a failed call.
///
/// @param code empty when the failure is not the daemon's own
/// @param violation the refused field and what is wrong with it
/// @param retryAfter when the same call can succeed
public record StatusDetails(
    Optional<ErrorCode> code,
    Optional<BadRequest.FieldViolation> violation,
    Optional<Duration> retryAfter) {

  /// The `domain` of the daemon's `ErrorInfo`.
  public static final String DOMAIN = "agent-memory";

  /// @param failure of a call
  public static StatusDetails of(Throwable failure) {
    com.google.rpc.@Nullable Status status = StatusProto.fromThrowable(failure);
    List<Any> parts = status == null ? List.of() : status.getDetailsList();
    return new StatusDetails(
        code(parts),
        detail(parts, BadRequest.class)
            .flatMap(request -> request.getFieldViolationsList().stream().findFirst()),
        detail(parts, RetryInfo.class)
            .map(RetryInfo::getRetryDelay)
            .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos())));
  }

  private static Optional<ErrorCode> code(List<Any> parts) {
    return detail(parts, ErrorInfo.class)
        .filter(info -> info.getDomain().equals(DOMAIN))
        .flatMap(info ->
            Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(info.getReason()))
                .findFirst());
  }

  private static <T extends Message> Optional<T> detail(List<Any> parts, Class<T> type) {
    try {
      for (Any part : parts) {
        if (part.is(type)) {
          return Optional.of(part.unpack(type));
        }
      }
      return Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
