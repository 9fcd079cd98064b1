package dev.agentmemory.api.encoded;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Makes calls in which one side sends several messages.
public interface EncodedStreams {

  /// Returns at once.
  ///
  /// @param call with the first message of the caller
  /// @param more the further ones, which are all there is
  /// @param responses takes what the call answers
  /// @return completes after the last response; never fails with an error of the call, which is an
  ///   [EncodedAnswer.Failure]. The message of an [EncodedAnswer.Response] is empty
  CompletableFuture<EncodedAnswer> stream(EncodedCall call, List<byte[]> more, Responses responses);

  /// Takes the responses of a call, one after the other.
  @FunctionalInterface
  interface Responses {

    /// @param message in the format of the call
    /// @return the next response comes when it completes; if it fails, the call is cancelled
    CompletableFuture<Void> take(byte[] message);
  }
}
