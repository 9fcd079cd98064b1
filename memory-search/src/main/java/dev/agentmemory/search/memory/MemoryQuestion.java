package dev.agentmemory.search.memory;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// What a search asks of the curated memories. All filters hold together.
///
/// @param query free text in the notation of [MemoryWords#match], without filters; blank: every
///   memory that passes the filters
/// @param session the session that a memory comes from
/// @param source who made it
/// @param tags it has all of them, or tags below them
/// @param after made then or later
/// @param before made earlier
/// @param limit most memories
/// @param now the asker's present
public record MemoryQuestion(
    String query,
    SearchMode mode,
    Optional<SessionId> session,
    Optional<String> source,
    Set<Tag> tags,
    Optional<Instant> after,
    Optional<Instant> before,
    int limit,
    Instant now) {

  public MemoryQuestion {
    tags = Set.copyOf(tags);
  }
}
