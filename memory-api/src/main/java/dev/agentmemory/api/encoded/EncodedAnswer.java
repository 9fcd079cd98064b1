package dev.agentmemory.api.encoded;

import dev.agentmemory.types.ErrorCode;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// How an [EncodedCall] ended.
public sealed interface EncodedAnswer {

  /// @param message the response in the format of the request
  // Never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Response(byte[] message) implements EncodedAnswer {

    public Response {
      Objects.requireNonNull(message, "message");
    }
  }

  /// @param status the name of gRPC's status, such as `INVALID_ARGUMENT`
  /// @param reason empty if the call did not reach a handler, or did not end in time
  /// @param field the path of the refused field, when a single field is to blame
  /// @param message fit to be shown to a user
  /// @param retryAfter when the same call can succeed
  record Failure(
      String status,
      Optional<ErrorCode> reason,
      Optional<String> field,
      String message,
      Optional<Duration> retryAfter)
      implements EncodedAnswer {

    public Failure {
      Objects.requireNonNull(status, "status");
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(message, "message");
      Objects.requireNonNull(retryAfter, "retryAfter");
    }
  }
}
