package dev.agentmemory.model;

import java.util.List;
import java.util.Locale;

/// What is asked for beside the words, and may be left out for servers or models that refuse it.
enum Option {
  /// An answer that follows a JSON schema.
  SCHEMA,
  /// The temperature 0; some models take only their own.
  TEMPERATURE,
  SEED,
  /// No thinking aloud before the answer: it is billed, and counts towards the answer's limit.
  NO_THINKING;

  /// Whether a refusal is about it.
  boolean isNamedIn(String refusal) {
    String lower = refusal.toLowerCase(Locale.ROOT);
    return names().stream().anyMatch(lower::contains);
  }

  private List<String> names() {
    return switch (this) {
      case SCHEMA ->
          List.of(
              "response_format",
              "json_schema",
              "output_config",
              "output_format",
              "structured",
              "grammar");
      case TEMPERATURE -> List.of("temperature");
      case SEED -> List.of("seed");
      case NO_THINKING -> List.of("thinking");
    };
  }
}
