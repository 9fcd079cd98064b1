package dev.agentmemory.api.recall;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;

/// What a memory refers to.
///
/// @param references other memories, at most [#MAX]
/// @param events events that support it, at most [#MAX]
/// @param grips excerpts that support it, at most [#MAX]
public record MemoryLinks(List<MemoryId> references, List<EventId> events, List<GripId> grips) {

  /// Most links of a kind.
  public static final int MAX = 100;

  public static final MemoryLinks NONE = new MemoryLinks(List.of(), List.of(), List.of());

  /// Repeated links count once.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `references`, `evidence_events` or
  ///   `evidence_grips` when there are too many
  public MemoryLinks {
    references = distinct("references", references);
    events = distinct("evidence_events", events);
    grips = distinct("evidence_grips", grips);
  }

  private static <T> List<T> distinct(String field, List<T> links) {
    List<T> once = links.stream().distinct().toList();
    if (once.size() > MAX) {
      throw MemoryException.invalid(
          field, "has %d entries; expected at most %d".formatted(once.size(), MAX));
    }
    return once;
  }

  public MemoryLinks withReferences(List<MemoryId> changed) {
    return new MemoryLinks(changed, events, grips);
  }
}
