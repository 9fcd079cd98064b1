package dev.agentmemory.api.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/// The tokens of a daemon. Any thread may ask.
public interface AccessTokens {

  /// Whose token a text is. Takes as long for a wrong text as for one that is nearly right.
  ///
  /// @return empty for a text that is no token, or none any more
  Optional<Caller> caller(String token);

  /// Why tokens are refused that may be right, and what to do about it; empty if none is.
  default Optional<String> problem() {
    return Optional.empty();
  }

  /// One token, which allows everything.
  static AccessTokens single(String token) {
    byte[] expected = token.getBytes(StandardCharsets.UTF_8);
    return sent ->
        MessageDigest.isEqual(expected, sent.getBytes(StandardCharsets.UTF_8))
            ? Optional.of(Caller.OWNER)
            : Optional.empty();
  }
}
