package dev.agentmemory.toc.summary.extractive;

/// Who speaks in an event, as far as summaries care.
enum SpeakerRole {
  USER,
  ASSISTANT,
  /// A tool, or text that a harness wrote in the user's name.
  TOOL,
  /// Boundaries of sessions and system texts, which are not quoted.
  NONE
}
