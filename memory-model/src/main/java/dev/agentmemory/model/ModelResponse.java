package dev.agentmemory.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/// What came of one request to a provider.
sealed interface ModelResponse permits ModelResponse.Body, Failure {

  /// The header `Retry-After`.
  default Optional<String> retryAfter() {
    return Optional.empty();
  }

  /// JSON with a status of success.
  record Body(JsonNode json, Optional<String> retryAfter) implements ModelResponse {}
}
