package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// Whether a memory is what a filter asks for, no matter whether a later one has replaced it.
///
/// @param session as the memories name it
/// @param near the memories that the filter's references lead to; empty when it names none
record EntryFilter(MemoryFilter filter, Optional<SessionId> session, Optional<Set<MemoryId>> near)
    implements Predicate<MemoryEntry> {

  static EntryFilter of(MemoryFilter filter, ReferenceWalk walk) {
    return new EntryFilter(
        filter,
        filter.session(),
        filter.near().map(near -> walk.from(near.roots(), near.depth()).keySet()));
  }

  /// The same for memories that may name sessions in another way than the request.
  ///
  /// @param names finds the session as the memories name it; empty when they cannot come from it
  Predicate<MemoryEntry> in(Function<SessionId, Optional<SessionId>> names) {
    Optional<SessionId> own = session.flatMap(names);
    return session.isPresent() && own.isEmpty() ? _ -> false : new EntryFilter(filter, own, near);
  }

  @Override
  public boolean test(MemoryEntry entry) {
    Instant created = entry.validity().created();
    return isAmong(filter.scopes(), entry.scope())
        && isAmong(filter.kinds(), entry.kind())
        && isAmong(filter.lifetimes(), entry.lifetime())
        && isAmong(filter.sources(), entry.source())
        && isEqual(session, entry.place().session())
        && isEqual(filter.channel(), entry.place().channel())
        && (!filter.pinned() || entry.pinned())
        && entry.importance() >= filter.minImportance()
        && (filter.after().isEmpty() || !created.isBefore(filter.after().get()))
        && (filter.before().isEmpty() || created.isBefore(filter.before().get()))
        && filter.tags().matches(entry.tags())
        && (near.isEmpty() || near.get().contains(entry.id()));
  }

  private static <T> boolean isAmong(Collection<T> wanted, T value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  private static <T> boolean isEqual(Optional<T> wanted, Optional<T> value) {
    return wanted.isEmpty() || wanted.equals(value);
  }
}
