package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.rank.SameStatement;
import dev.agentmemory.recall.internal.table.MemoryStatement;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Collects the results of a search in their order: of memories that state the same the first one,
/// and only what can be read. For one search.
final class HitList {

  private final int limit;
  private final SameStatement same;
  private final List<Shown> shown = new ArrayList<>();

  /// Those that are shown, by what they say: only memories with one of these in common can be the
  /// same.
  private final Map<StatementIdentity, List<Shown>> bySaid = new HashMap<>();

  private record Shown(FoundEntry found, MemoryRecord memory, List<FoundEntry> duplicates) {}

  /// @param limit most results
  HitList(int limit, SameStatement same) {
    this.limit = limit;
    this.same = same;
  }

  /// Whether no more can be shown. Duplicates of what is shown can still be added.
  boolean isFull() {
    return shown.size() == limit;
  }

  /// Adds the next memory.
  void add(FoundEntry next) {
    var _ = offer(next);
  }

  /// Adds the next memory.
  ///
  /// @return empty when it is not shown: it says what an earlier one says, cannot be read, or there
  ///   is no place left
  Optional<MemoryRecord> offer(FoundEntry next) {
    Optional<Shown> earlier = earlier(next);
    if (earlier.isPresent()) {
      earlier.get().duplicates().add(next);
      return Optional.empty();
    }
    Optional<MemoryRecord> read = isFull() ? Optional.empty() : next.memories().read(next.entry());
    read.ifPresent(memory -> show(next, memory));
    return read;
  }

  private Optional<Shown> earlier(FoundEntry next) {
    MemoryStatement said = next.entry().statement();
    return said.exact()
        .flatMap(exact -> earlier(exact, next))
        .or(() -> said.core().flatMap(core -> earlier(core, next)));
  }

  private Optional<Shown> earlier(StatementIdentity said, FoundEntry next) {
    for (Shown one : bySaid.getOrDefault(said, List.of())) {
      if (same.test(one.found().entry(), next.entry())) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  private void show(FoundEntry found, MemoryRecord memory) {
    var one = new Shown(found, memory, new ArrayList<>());
    shown.add(one);
    MemoryStatement said = found.entry().statement();
    Stream.of(said.exact(), said.core())
        .flatMap(Optional::stream)
        .distinct()
        .forEach(identity -> bySaid.computeIfAbsent(identity, _ -> new ArrayList<>()).add(one));
  }

  /// The ids of what is shown, in each collection.
  Map<MemoryCollection, List<MemoryId>> ids() {
    return shown.stream()
        .collect(
            Collectors.groupingBy(
                one -> one.found().memories(),
                Collectors.mapping(one -> one.memory().id(), Collectors.toList())));
  }

  /// @param searches finds the search that found a memory
  /// @param workspaces names the memories
  List<MemoryHit> hits(
      Function<FoundEntry, CollectionSearch> searches,
      CuratedMemories.WorkspaceCollections workspaces) {
    return shown.stream().map(one -> hit(one, searches.apply(one.found()), workspaces)).toList();
  }

  private static MemoryHit hit(
      Shown one, CollectionSearch search, CuratedMemories.WorkspaceCollections workspaces) {
    FoundEntry found = one.found();
    MemoryCollection memories = found.memories();
    return new MemoryHit(
        workspaces.shown(memories, one.memory()),
        found.relevance(),
        found.why(),
        search.replaced(found.entry()).stream().map(id -> workspaces.shown(memories, id)).toList(),
        one.duplicates().stream()
            .map(other -> workspaces.shown(other.memories(), other.entry().id()))
            .sorted(Comparator.reverseOrder())
            .toList());
  }
}
