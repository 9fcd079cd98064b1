package dev.agentmemory.search.workspace;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Sources;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The search index of one store, opened by whoever needs it first: a store must open at once, and
/// also without its index. One that cannot be opened is tried again with the next need.
final class IndexPlace implements AutoCloseable {

  private final Path home;
  private final Sources sources;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile @Nullable SearchIndex index;
  private boolean closed;

  /// @param home the index's folder
  IndexPlace(Path home, Sources sources) {
    this.home = home;
    this.sources = sources;
  }

  /// @throws MemoryException `STORAGE_FAILED` when it cannot be opened now, `CONFLICT` when another
  ///   process uses it, `CLOSED` after [#close]
  SearchIndex get() {
    SearchIndex there = index;
    if (there != null) {
      return there;
    }
    opening.lock();
    try {
      if (closed) {
        throw new MemoryException(ErrorCode.CLOSED, "the search index is closed");
      }
      SearchIndex opened = index;
      if (opened == null) {
        opened = SearchIndex.open(home, sources, System::nanoTime);
        index = opened;
      }
      return opened;
    } finally {
      opening.unlock();
    }
  }

  /// Empty as long as nobody has opened it.
  Optional<SearchIndex> opened() {
    return Optional.ofNullable(index);
  }

  /// Makes everything durable.
  @Override
  public void close() {
    opening.lock();
    try {
      closed = true;
    } finally {
      opening.unlock();
    }
    opened().ifPresent(SearchIndex::close);
  }
}
