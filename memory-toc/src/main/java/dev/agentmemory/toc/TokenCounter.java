package dev.agentmemory.toc;

/// Counts tokens of a text.
public interface TokenCounter {

  int count(String text);
}
