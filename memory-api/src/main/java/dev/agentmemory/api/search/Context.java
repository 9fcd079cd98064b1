package dev.agentmemory.api.search;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;

/// Evidence for a question, as text that an agent can read.
///
/// @param markdown memories first, then passages, the oldest first; everything ends with what it
///   cites: `[mem:ID]`, `[evt:ID]`, `[grip:ID]`
/// @param tokens how many the Markdown has
/// @param events cited, in the order of the text
/// @param grips cited, in the order of the text
/// @param memories cited, in the order of the text
/// @param omitted hits that were left out because the budget was spent
/// @param degraded why less was searched than could be
/// @param nothingBecause why there is no evidence; empty when there is
public record Context(
    String markdown,
    int tokens,
    List<EventId> events,
    List<GripId> grips,
    List<MemoryId> memories,
    int omitted,
    Optional<String> degraded,
    Optional<String> nothingBecause) {

  public Context {
    events = List.copyOf(events);
    grips = List.copyOf(grips);
    memories = List.copyOf(memories);
  }
}
