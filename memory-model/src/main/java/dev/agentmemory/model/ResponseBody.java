package dev.agentmemory.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/// JSON with a status of success.
record ResponseBody(JsonNode json, Optional<String> retryAfter) implements ModelResponse {}
