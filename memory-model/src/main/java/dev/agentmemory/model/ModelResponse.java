package dev.agentmemory.model;

import java.util.Optional;

/// What came of one request to a provider.
sealed interface ModelResponse permits ResponseBody, Failure {

  /// The header `Retry-After`.
  default Optional<String> retryAfter() {
    return Optional.empty();
  }
}
