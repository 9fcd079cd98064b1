package dev.agentmemory.recall.memory;

import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Follows references among the memories of some collections. References to memories that are gone
/// are passed over; those to merged ones lead to what they were merged into.
///
/// @param collections asked in this order
record ReferenceWalk(List<MemoryCollection> collections) {

  /// The memories that others refer to, the nearest first, each with the number of references that
  /// lead to it. Cycles end where they meet a memory again; the roots are not among them.
  ///
  /// @param depth how many references are followed at most
  SequencedMap<MemoryId, Integer> from(Collection<MemoryId> roots, int depth) {
    SequencedMap<MemoryId, Integer> reached = new LinkedHashMap<>();
    List<MemoryEntry> level = new ArrayList<>();
    for (MemoryId root : roots.stream().sorted().toList()) {
      find(root).filter(entry -> reached.putIfAbsent(entry.id(), 0) == null).ifPresent(level::add);
    }
    for (int distance = 1; distance <= depth && !level.isEmpty(); distance++) {
      List<MemoryEntry> next = new ArrayList<>();
      for (MemoryEntry entry : level) {
        for (MemoryId reference : entry.references()) {
          int steps = distance;
          find(reference)
              .filter(found -> reached.putIfAbsent(found.id(), steps) == null)
              .ifPresent(next::add);
        }
      }
      level = next;
    }
    reached.values().removeIf(distance -> distance == 0);
    return reached;
  }

  /// The memories that cannot be read among those that a walk has met.
  ///
  /// @param reached from the root, with the number of references
  Set<MemoryId> unread(MemoryId root, Map<MemoryId, Integer> reached, int depth) {
    return Stream.concat(
            Stream.of(root),
            reached.entrySet().stream()
                .filter(one -> one.getValue() < depth)
                .map(Map.Entry::getKey))
        .flatMap(id -> find(id).stream())
        .flatMap(entry -> entry.references().stream())
        .filter(this::isUnread)
        .collect(Collectors.toSet());
  }

  boolean isUnread(MemoryId id) {
    return collections.stream()
        .map(MemoryCollection::table)
        .anyMatch(table -> table.isCorrupt(table.resolved(id)));
  }

  Optional<MemoryEntry> find(MemoryId id) {
    return collections.stream()
        .map(memories -> memories.table().find(id))
        .flatMap(Optional::stream)
        .findFirst();
  }
}
