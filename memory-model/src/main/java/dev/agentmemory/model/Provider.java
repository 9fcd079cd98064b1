package dev.agentmemory.model;

import java.net.URI;
import java.util.Locale;

/// Which API a model is reached by.
public enum Provider {
  /// OpenAI's API, also of compatible servers.
  OPENAI("https://api.openai.com/v1"),
  /// Has no embeddings.
  ANTHROPIC("https://api.anthropic.com/v1"),
  OLLAMA("http://localhost:11434");

  private final URI baseUrl;

  Provider(String baseUrl) {
    this.baseUrl = URI.create(baseUrl);
  }

  /// The base URL that is used when none is configured.
  URI baseUrl() {
    return baseUrl;
  }

  /// The name in settings, ledgers and editions: lower case.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
