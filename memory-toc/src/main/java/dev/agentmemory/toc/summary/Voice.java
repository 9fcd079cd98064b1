package dev.agentmemory.toc.summary;

/// Who speaks in an event, as far as summaries care.
enum Voice {
  USER,
  ASSISTANT,
  /// A tool, or text that a harness wrote in the user's name.
  TOOL,
  /// Borders of sessions and system texts, which nobody quotes.
  NONE
}
