package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// Whether a memory is what a filter asks for, no matter whether a later one has replaced it.
///
/// @param near the memories that the filter's references lead to; empty when it names none
record EntryFilter(MemoryFilter filter, Optional<Set<StoredId>> near) {

  static EntryFilter of(MemoryFilter filter, ReadCollections read) {
    return new EntryFilter(filter, filter.near().map(near -> reached(near, read)));
  }

  private static Set<StoredId> reached(MemoryFilter.Neighbourhood near, ReadCollections read) {
    List<StoredId> roots =
        near.roots().stream().flatMap(root -> read.named(root).stream()).toList();
    return read.walk().from(roots, near.depth()).keySet();
  }

  /// The filter for the memories of a collection, which may name sessions in another way than the
  /// request. It is asked of every memory, so it tests only the conditions that the filter sets.
  ///
  /// @param names finds the session as the memories name it; empty when they cannot come from it
  Predicate<MemoryEntry> in(
      MemoryCollection memories, Function<SessionId, Optional<SessionId>> names) {
    Optional<SessionId> session = filter.session().flatMap(names);
    if (filter.session().isPresent() && session.isEmpty()) {
      return _ -> false;
    }
    List<Predicate<MemoryEntry>> parts = new ArrayList<>();
    session.ifPresent(one -> parts.add(entry -> isEqual(one, entry.place().session())));
    filter.channel().ifPresent(one -> parts.add(entry -> isEqual(one, entry.place().channel())));
    addAmong(parts, filter.scopes(), MemoryEntry::scope);
    addAmong(parts, filter.kinds(), MemoryEntry::kind);
    addAmong(parts, filter.lifetimes(), MemoryEntry::lifetime);
    addAmong(parts, filter.sources(), MemoryEntry::source);
    near.ifPresent(
        reached -> parts.add(entry -> reached.contains(new StoredId(memories, entry.id()))));
    if (filter.pinned()) {
      parts.add(MemoryEntry::pinned);
    }
    if (filter.minImportance() > 0) {
      parts.add(entry -> entry.importance() >= filter.minImportance());
    }
    filter
        .after()
        .ifPresent(time -> parts.add(entry -> !entry.validity().created().isBefore(time)));
    filter
        .before()
        .ifPresent(time -> parts.add(entry -> entry.validity().created().isBefore(time)));
    if (!filter.tags().equals(TagFilter.NONE)) {
      parts.add(entry -> filter.tags().matches(entry.tags()));
    }
    return entry -> matchesAll(parts, entry);
  }

  private static <T> boolean isEqual(T wanted, Optional<T> value) {
    return value.isPresent() && wanted.equals(value.get());
  }

  private static <T> void addAmong(
      List<Predicate<MemoryEntry>> parts, Collection<T> wanted, Function<MemoryEntry, T> value) {
    if (!wanted.isEmpty()) {
      parts.add(entry -> wanted.contains(value.apply(entry)));
    }
  }

  private static boolean matchesAll(List<Predicate<MemoryEntry>> parts, MemoryEntry entry) {
    for (Predicate<MemoryEntry> part : parts) {
      if (!part.test(entry)) {
        return false;
      }
    }
    return true;
  }
}
