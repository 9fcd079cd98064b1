package dev.agentmemory.api.recall;

import dev.agentmemory.api.page.Page;
import java.util.EnumMap;
import java.util.Map;

/// How many memories there are, and of what. Superseded ones count.
///
/// @param scopes how many there are of each scope; scopes without any are absent
/// @param kinds the same by kind
/// @param lifetimes the same by lifetime
/// @param withoutVector those for which the backfill job will compute a vector
/// @param bytes size of their contents
/// @param corrupt those whose checksum does not match; they are not among the others
public record MemoryStats(
    Map<MemoryScope, Long> scopes,
    Map<MemoryKind, Long> kinds,
    Map<MemoryLifetime, Long> lifetimes,
    long pinned,
    long superseded,
    long withoutVector,
    long bytes,
    long corrupt) {

  public MemoryStats {
    scopes = Map.copyOf(scopes);
    kinds = Map.copyOf(kinds);
    lifetimes = Map.copyOf(lifetimes);
  }

  /// How many memories there are.
  public long total() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }

  /// Counts the memories of a list, page by page.
  static final class Counter {

    private final Map<MemoryScope, Long> scopes = new EnumMap<>(MemoryScope.class);
    private final Map<MemoryKind, Long> kinds = new EnumMap<>(MemoryKind.class);
    private final Map<MemoryLifetime, Long> lifetimes = new EnumMap<>(MemoryLifetime.class);
    private long pinned;
    private long superseded;
    private long withoutVector;
    private long bytes;
    private long corrupt;

    Page<MemoryRecord> add(MemoryPage page) {
      page.page().items().forEach(this::add);
      corrupt += page.skipped();
      return page.page();
    }

    private void add(MemoryRecord memory) {
      scopes.merge(memory.place().scope(), 1L, Long::sum);
      kinds.merge(memory.kind(), 1L, Long::sum);
      lifetimes.merge(memory.lifetime(), 1L, Long::sum);
      pinned += memory.pinned() ? 1 : 0;
      superseded += memory.isSuperseded() ? 1 : 0;
      withoutVector += memory.embedding() == MemoryRecord.EmbeddingState.PENDING ? 1 : 0;
      bytes += memory.content().bytes();
    }

    MemoryStats stats() {
      return new MemoryStats(
          scopes, kinds, lifetimes, pinned, superseded, withoutVector, bytes, corrupt);
    }
  }
}
