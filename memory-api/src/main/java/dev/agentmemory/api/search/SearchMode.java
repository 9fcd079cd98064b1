package dev.agentmemory.api.search;

/// By what a search finds.
public enum SearchMode {
  /// By words and by meaning, as far as there are vectors.
  AUTO,
  /// By words only.
  LEXICAL,
  /// By meaning only.
  SEMANTIC,
  /// By both. Unlike [#AUTO] it says so when only words could be used.
  HYBRID
}
