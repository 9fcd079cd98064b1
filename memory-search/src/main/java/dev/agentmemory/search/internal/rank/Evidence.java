package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.Said;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that may stand in a context.
///
/// @param event empty for a summary
/// @param session empty for summaries above a segment
/// @param speaker role and name, or what a summary is of
/// @param text as far as it may be shown
/// @param grips that quote it
/// @param score of its hit
/// @param said how often it was said and since when
public record Evidence(
    Instant time,
    Optional<EventKey> event,
    Optional<SessionId> session,
    String speaker,
    String text,
    List<GripId> grips,
    double score,
    Likeness likeness,
    Said said) {

  /// The same with less of it.
  public Evidence with(String shorter, List<GripId> fewer) {
    return new Evidence(time, event, session, speaker, shorter, fewer, score, likeness, said);
  }
}
