package dev.agentmemory.api.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tokens of a daemon. Any thread may ask.
public interface AccessTokens {

  /// Whose token has a hash.
  ///
  /// @return empty for a hash of no token, or of none any more
  Optional<Caller> caller(TokenHash hash);

  /// Whose token a text is. Takes as long for a wrong text as for one that is nearly right.
  ///
  /// @return empty for a text that is no token, or none any more
  default Optional<Caller> caller(String token) {
    return caller(TokenHash.of(token));
  }

  /// The hashes of all tokens.
  List<TokenHash> hashes();

  /// Whether a text is a key of the console, which pages in a browser send, and no token.
  default boolean isConsoleKey(String text) {
    return false;
  }

  /// Why tokens are refused that may be right, and what to do about it; empty if none is.
  default Optional<String> problem() {
    return Optional.empty();
  }

  /// Tokens that never change.
  static AccessTokens of(Map<TokenHash, Caller> callers) {
    Map<TokenHash, Caller> known = Map.copyOf(callers);
    return new AccessTokens() {
      @Override
      public Optional<Caller> caller(TokenHash hash) {
        return Optional.ofNullable(known.get(hash));
      }

      @Override
      public List<TokenHash> hashes() {
        return List.copyOf(known.keySet());
      }
    };
  }

  /// One token, which allows everything.
  static AccessTokens single(String token) {
    return of(Map.of(TokenHash.of(token), Caller.OWNER));
  }
}
