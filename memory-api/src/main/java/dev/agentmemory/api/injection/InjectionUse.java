package dev.agentmemory.api.injection;

import dev.agentmemory.types.EventId;
import java.time.Instant;

/// A sign that a session has used what it was told.
///
/// @param event that shows it
/// @param time of the event
/// @param what the id that is cited or expanded, or the words that are shared
public record InjectionUse(EventId event, Instant time, Sign sign, String what) {

  /// What shows the use.
  public enum Sign {
    /// A later answer has the id of a citation.
    CITATION,
    /// A later tool call expands a citation.
    EXPANSION,
    /// A later answer shares a run of words.
    WORDS
  }
}
