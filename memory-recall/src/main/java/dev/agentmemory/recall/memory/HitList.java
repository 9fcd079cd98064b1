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

  private record Shown(FoundEntry found, MemoryRecord memory, List<MemoryId> duplicates) {}

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
      earlier.get().duplicates().add(next.entry().id());
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

  /// @param searches finds the search that found a memory
  List<MemoryHit> hits(Function<FoundEntry, CollectionSearch> searches) {
    return shown.stream()
        .map(one ->
            new MemoryHit(
                one.memory(),
                one.found().relevance(),
                searches.apply(one.found()).why(one.found()),
                searches.apply(one.found()).replaced(one.found().entry()),
                one.duplicates().stream().sorted(Comparator.reverseOrder()).toList()))
        .toList();
  }
}
