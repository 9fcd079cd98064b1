package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.rank.SameStatement;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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

  /// Adds the next memory.
  void add(FoundEntry next) {
    Optional<Shown> earlier = earlier(next);
    if (earlier.isPresent()) {
      earlier.get().duplicates().add(next.entry().id());
    } else if (shown.size() < limit) {
      next.memories().read(next.entry()).ifPresent(memory -> show(next, memory));
    }
  }

  private Optional<Shown> earlier(FoundEntry next) {
    return said(next).stream()
        .flatMap(said -> bySaid.getOrDefault(said, List.of()).stream())
        .filter(one -> same.test(one.found().entry(), next.entry()))
        .findFirst();
  }

  private void show(FoundEntry found, MemoryRecord memory) {
    var one = new Shown(found, memory, new ArrayList<>());
    shown.add(one);
    said(found).forEach(said -> bySaid.computeIfAbsent(said, _ -> new ArrayList<>()).add(one));
  }

  private static List<StatementIdentity> said(FoundEntry found) {
    List<StatementIdentity> said = new ArrayList<>();
    found.entry().statement().exact().ifPresent(said::add);
    found.entry().statement().core().ifPresent(said::add);
    return said;
  }

  /// @param replaced finds what a memory has replaced
  List<MemoryHit> hits(Function<FoundEntry, List<MemoryId>> replaced) {
    return shown.stream()
        .map(one ->
            new MemoryHit(
                one.memory(),
                one.found().relevance(),
                one.found().why(),
                replaced.apply(one.found()),
                one.duplicates()))
        .toList();
  }
}
