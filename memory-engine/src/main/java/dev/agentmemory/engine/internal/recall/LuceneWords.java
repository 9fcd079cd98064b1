package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.search.memory.MemoryWords;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.types.MemoryId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The word index of memories in a folder. It is opened when it is first needed, so that a
/// workspace without memories has none.
final class LuceneWords implements WordIndex {

  private final Path home;
  private final ParallelMapper mapper;
  private final Mutex opening = new Mutex();
  private volatile @Nullable MemoryWords opened;
  private boolean closed;

  /// @param home the index is made in a folder of it
  LuceneWords(Path home, ParallelMapper mapper) {
    this.home = home;
    this.mapper = mapper;
  }

  private MemoryWords words() {
    MemoryWords there = opened;
    if (there != null) {
      return there;
    }
    try (var _ = opening.hold()) {
      there = opened;
      if (there == null) {
        there = MemoryWords.open(home, this::sideBySide);
        if (closed) {
          there.close();
        }
        opened = there;
      }
      return there;
    }
  }

  private void sideBySide(List<Runnable> pieces) {
    var _ =
        mapper.map(
            pieces,
            piece -> {
              piece.run();
              return true;
            });
  }

  @Override
  public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
    return words().match(query, allowed, limit);
  }

  @Override
  public void put(List<Doc> docs) {
    var _ = put(docs, Optional::of);
  }

  @Override
  public <T> long put(List<T> rows, Function<T, Optional<Doc>> read) {
    return words()
        .put(
            rows,
            row ->
                read.apply(row).map(doc -> new MemoryWords.Doc(doc.id(), doc.text(), doc.tags())));
  }

  @Override
  public void remove(Collection<MemoryId> ids) {
    words().remove(ids);
  }

  @Override
  public void clear() {
    words().clear();
  }

  @Override
  public long revision() {
    return words().revision();
  }

  @Override
  public void commit(long revision) {
    words().commit(revision);
  }

  @Override
  public boolean purge() {
    return words().purge();
  }

  @Override
  public void close() {
    try (var _ = opening.hold()) {
      closed = true;
      MemoryWords there = opened;
      if (there != null) {
        there.close();
      }
    }
  }
}
