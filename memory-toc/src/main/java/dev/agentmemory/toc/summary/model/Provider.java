package dev.agentmemory.toc.summary.model;

import java.util.Locale;

/// Which interface a model is reached by.
public enum Provider {
  /// OpenAI chat completions, also of compatible servers.
  OPENAI,
  ANTHROPIC,
  OLLAMA;

  /// The name in settings, ledgers and editions: lower case.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
