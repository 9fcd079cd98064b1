package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.SessionBudget;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.internal.table.ScopeInstance;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether the memories of one call fit into the quotas of their sessions and the caps of their
/// scopes. For one call, while memories are locked for writing.
///
/// Consolidation takes care of a scope with too many memories, and cannot drop pinned ones and
/// preferences. So a write is refused only where those alone leave no place for it.
public final class WriteLimits {

  private final MemoryTable table;
  private final int cap;
  private final SessionBudget budget;
  private final Map<ScopeInstance, Long> addedExempt = new HashMap<>();
  private final Map<SessionId, Long> addedBytes = new HashMap<>();

  /// @param cap most memories of a scope
  WriteLimits(MemoryTable table, int cap, SessionBudget budget) {
    this.table = table;
    this.cap = cap;
    this.budget = budget;
  }

  /// Counts a memory in that is new, or replaces the one with its id.
  ///
  /// @throws MemoryException `QUOTA_EXCEEDED`; it is not counted then
  public void add(MemoryRow row) {
    MemoryRecord memory = row.memory();
    Optional<SessionId> session = memory.place().session();
    long added = row.bytes() - (long) bytes(memory);
    session.ifPresent(id -> grow(id, added));
    if (table.entry(memory.id()).filter(MemoryEntry::isExempt).isEmpty()) {
      addToScope(memory);
    }
    session.ifPresent(id -> addedBytes.merge(id, added, Long::sum));
  }

  /// Bytes of the memory that a new one replaces.
  private int bytes(MemoryRecord memory) {
    return table.entry(memory.id()).map(MemoryEntry::bytes).orElse(0);
  }

  /// Counts new memories in; their sessions are asked once.
  ///
  /// @throws MemoryException `QUOTA_EXCEEDED`
  void addAll(List<DraftedMemory> drafted) {
    Map<SessionId, Long> sizes = sizes(drafted);
    sizes.forEach(this::grow);
    drafted.forEach(one -> addToScope(one.memory()));
    sizes.forEach((session, bytes) -> addedBytes.merge(session, bytes, Long::sum));
  }

  static Map<SessionId, Long> sizes(List<DraftedMemory> drafted) {
    Map<SessionId, Long> sizes = new HashMap<>();
    for (DraftedMemory one : drafted) {
      one.memory()
          .place()
          .session()
          .ifPresent(session -> sizes.merge(session, (long) one.row().bytes(), Long::sum));
    }
    return sizes;
  }

  /// Checks that a session may grow by that many bytes.
  ///
  /// @throws MemoryException `QUOTA_EXCEEDED`
  void grow(SessionId session, long bytes) {
    if (bytes > 0) {
      long used = table.bytes(session) + addedBytes.getOrDefault(session, 0L);
      budget.check(session, used, bytes);
    }
  }

  private void addToScope(MemoryRecord memory) {
    ScopeInstance scope = ScopeInstance.of(memory.place());
    boolean exempt = MemoryEntry.isExempt(memory.pinned(), memory.kind());
    long after = exempt(scope) + (exempt ? 1 : 0);
    // A memory that is not exempt needs a place that no exempt one takes.
    if (after + (exempt ? 0 : 1) > cap) {
      throw full(scope);
    }
    if (exempt) {
      addedExempt.merge(scope, 1L, Long::sum);
    }
  }

  /// Checks that one more memory of a place may be pinned or a preference.
  ///
  /// @throws MemoryException `QUOTA_EXCEEDED`
  void exempt(MemoryPlace place) {
    ScopeInstance scope = ScopeInstance.of(place);
    if (exempt(scope) + 1 > cap) {
      throw full(scope);
    }
  }

  private long exempt(ScopeInstance scope) {
    return table.count(scope).exempt() + addedExempt.getOrDefault(scope, 0L);
  }

  private MemoryException full(ScopeInstance scope) {
    return new MemoryException(
        ErrorCode.QUOTA_EXCEEDED,
        ("%s has %d memories that are pinned or preferences; recall.scope_cap is %d; unpin or delete"
                + " some of them")
            .formatted(scope, exempt(scope), cap));
  }
}
