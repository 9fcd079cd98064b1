package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Whether a memory is what a filter asks for, no matter whether a later one has replaced it.
///
/// @param near the memories that the filter's references lead to; empty when it names none
record EntryFilter(MemoryFilter filter, Optional<Set<MemoryId>> near)
    implements Predicate<MemoryEntry> {

  static EntryFilter of(MemoryFilter filter, ReferenceWalk walk) {
    return new EntryFilter(
        filter, filter.near().map(near -> walk.from(near.roots(), near.depth()).keySet()));
  }

  @Override
  public boolean test(MemoryEntry entry) {
    Instant created = entry.validity().created();
    return isAmong(filter.scopes(), entry.scope())
        && isAmong(filter.kinds(), entry.kind())
        && isAmong(filter.lifetimes(), entry.lifetime())
        && isAmong(filter.sources(), entry.source())
        && isEqual(filter.session(), entry.place().session())
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
