package dev.agentmemory.toc.segment;

/// Counts the tokens of a text, as a language model's window would.
public interface TokenCounter {

  /// @return 0 for the empty text
  int count(String text);
}
