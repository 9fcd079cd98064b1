package dev.agentmemory.search.workspace;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Sources;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The search index of one store, opened with its first use: a store must open at once, and also
/// without its index. One that cannot be opened is tried again with the next need.
final class IndexPlace implements AutoCloseable {

  /// An index that has more outbox entries than this to apply is not disturbed.
  private static final int BURST = 1024;

  private final Path home;
  private final Sources sources;
  private final Ticker ticker;
  private final Mutex opening = new Mutex();
  private volatile @Nullable SearchIndex index;
  private boolean closed;

  /// @param home the index's folder
  IndexPlace(Path home, Sources sources, Ticker ticker) {
    this.home = home;
    this.sources = sources;
    this.ticker = ticker;
  }

  /// @throws MemoryException `STORAGE_FAILED` when it cannot be opened now, `CONFLICT` when another
  ///   process uses it, `CLOSED` after [#close]
  SearchIndex get() {
    SearchIndex there = index;
    if (there != null) {
      return there;
    }
    try (var _ = opening.hold()) {
      if (closed) {
        throw new MemoryException(ErrorCode.CLOSED, "the search index is closed");
      }
      SearchIndex opened = index;
      if (opened == null) {
        opened = SearchIndex.open(home, sources, ticker);
        index = opened;
      }
      return opened;
    }
  }

  /// Whether the index is applying an ingest burst: other work on it has to wait.
  ///
  /// @throws MemoryException as [#get]
  boolean isApplyingBurst() {
    return sources.outbox().head() - get().cursor() > BURST;
  }

  /// Empty until it is opened.
  Optional<SearchIndex> opened() {
    return Optional.ofNullable(index);
  }

  /// Makes everything durable.
  @Override
  public void close() {
    try (var _ = opening.hold()) {
      closed = true;
    }
    opened().ifPresent(SearchIndex::close);
  }
}
