package dev.agentmemory.api.search;

import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that was found, and where it stands.
///
/// @param event the event; empty for summaries and memories
/// @param node the node of a summary; empty for events and memories
/// @param memory the memory; empty for events and summaries
/// @param time when the event was, when the summary's time begins, or when the memory was made; of
///   a statement that was made several times, when it was made last
/// @param role whose event it is; empty for summaries and memories
/// @param agent the agent that sent the event
/// @param title of the node; of a memory, its kind and its tags; empty for events
/// @param session of the event or segment; the session that a memory comes from; empty for days and
///   above
/// @param score orders the hits of one answer; means nothing across answers
/// @param relevance how likely the hit answers the question, 0 to 1; comparable across answers
/// @param path nodes of the table of contents from the year down to where the hit stands; empty for
///   memories, and while the table of contents has not come that far
/// @param grips of the summary, or of the event's segment where they quote the event
/// @param said how often the statement was made and since when; once for summaries and memories
public record Hit(
    HitKind kind,
    Optional<EventKey> event,
    Optional<NodeId> node,
    Optional<MemoryId> memory,
    Instant time,
    Optional<EventRole> role,
    Optional<String> agent,
    Optional<String> title,
    Optional<SessionId> session,
    double score,
    double relevance,
    Parts parts,
    Snippet snippet,
    List<NodeId> path,
    List<GripId> grips,
    Said said) {

  public Hit {
    path = List.copyOf(path);
    grips = List.copyOf(grips);
  }
}
