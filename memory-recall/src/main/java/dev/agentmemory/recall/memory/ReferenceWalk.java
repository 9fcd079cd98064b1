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

/// Follows the references of memories of some collections. References to memories that are gone are
/// passed over; those to merged ones lead to what they were merged into.
record ReferenceWalk(List<MemoryCollection> collections) {

  /// A memory of a collection. Another collection can have another memory with the same id.
  record StoredId(MemoryCollection memories, MemoryId id) {

    /// The memory, or the one that it was merged into; empty when it is gone or cannot be read.
    Optional<MemoryEntry> entry() {
      return memories.table().find(id);
    }

    boolean isUnread() {
      return memories.table().isCorrupt(memories.table().resolved(id));
    }
  }

  /// The memories that others refer to, the nearest first, each with the number of references that
  /// lead to it. Cycles end where they meet a memory again; the roots are not among them.
  ///
  /// @param depth how many references are followed at most
  SequencedMap<StoredId, Integer> from(Collection<StoredId> roots, int depth) {
    SequencedMap<StoredId, Integer> reached = new LinkedHashMap<>();
    List<StoredId> level = new ArrayList<>();
    for (StoredId root : roots) {
      present(root).filter(one -> reached.putIfAbsent(one, 0) == null).ifPresent(level::add);
    }
    for (int distance = 1; distance <= depth && !level.isEmpty(); distance++) {
      List<StoredId> next = new ArrayList<>();
      for (StoredId one : level) {
        for (MemoryId reference : references(one)) {
          int steps = distance;
          candidates(one.memories(), reference)
              .flatMap(to -> present(to).stream())
              .findFirst()
              .filter(found -> reached.putIfAbsent(found, steps) == null)
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
  Set<StoredId> unread(StoredId root, Map<StoredId, Integer> reached, int depth) {
    return Stream.concat(
            Stream.of(root),
            reached.entrySet().stream()
                .filter(one -> one.getValue() < depth)
                .map(Map.Entry::getKey))
        .flatMap(one ->
            references(one).stream().flatMap(reference -> candidates(one.memories(), reference)))
        .filter(StoredId::isUnread)
        .collect(Collectors.toSet());
  }

  private static Optional<StoredId> present(StoredId memory) {
    return memory.entry().map(entry -> new StoredId(memory.memories(), entry.id()));
  }

  private static List<MemoryId> references(StoredId memory) {
    return memory.entry().map(MemoryEntry::references).orElse(List.of());
  }

  /// The memories that a reference can mean: that of the collection in which it is, else that of
  /// the account.
  private Stream<StoredId> candidates(MemoryCollection from, MemoryId reference) {
    return Stream.concat(Stream.of(from), collections.stream().filter(MemoryCollection::isAccount))
        .map(memories -> new StoredId(memories, reference));
  }
}
