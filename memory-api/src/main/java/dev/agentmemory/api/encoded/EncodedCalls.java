package dev.agentmemory.api.encoded;

import java.util.concurrent.CompletableFuture;

/// Makes calls whose messages are encoded, with the checks and limits of all other calls.
@FunctionalInterface
public interface EncodedCalls {

  /// Returns at once.
  ///
  /// @return never fails with an error of the call; that is an [EncodedAnswer.Failure]
  CompletableFuture<EncodedAnswer> call(EncodedCall call);
}
