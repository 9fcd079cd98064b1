package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a word index in step with the rows. The rows decide: a failure of the index fails no
/// write, and an index that is not in step is built again before it answers.
///
/// All methods but [#match] are called while memories are locked for writing.
final class IndexedWords implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IndexedWords.class);

  /// Memories that are indexed at once when the index is built.
  private static final int BATCH = 64;

  private final WordIndex index;
  private volatile boolean inStep;
  private boolean uncommitted;

  IndexedWords(WordIndex index) {
    this.index = index;
  }

  static WordIndex.Doc doc(MemoryRecord memory) {
    return new WordIndex.Doc(memory.id(), ContentMask.words(memory.content()), memory.tags());
  }

  /// Compares the index with the rows once they were opened.
  ///
  /// @param revision of the rows
  void compare(long revision) {
    inStep = index.revision() == revision;
  }

  boolean isInStep() {
    return inStep;
  }

  /// Finds memories in an index that is in step.
  ///
  /// @return empty when it has failed and has to be built again
  Optional<List<MemoryId>> match(String query, Predicate<MemoryId> allowed, int limit) {
    try {
      return Optional.of(index.match(query, allowed, limit));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.STORAGE_FAILED);
      fail(e);
      return Optional.empty();
    }
  }

  /// Takes over what was committed.
  void apply(List<WordIndex.Doc> put, Collection<MemoryId> removed) {
    if (!inStep) {
      return;
    }
    uncommitted = true;
    try {
      if (!put.isEmpty()) {
        index.put(put);
      }
      if (!removed.isEmpty()) {
        index.remove(removed);
      }
    } catch (MemoryException e) {
      fail(e);
    }
  }

  private void fail(MemoryException e) {
    inStep = false;
    LOG.warn("the index of memories' words has failed and will be built again: {}", e.getMessage());
  }

  /// Builds the index from the rows.
  ///
  /// @return how many memories it has
  long rebuild(MemoryRows rows) {
    inStep = false;
    index.clear();
    List<WordIndex.Doc> docs = new ArrayList<>();
    var count = new AtomicLong();
    rows.forEachMemory(
        stored -> {
          docs.add(doc(stored.memory()));
          count.incrementAndGet();
          if (docs.size() == BATCH) {
            index.put(List.copyOf(docs));
            docs.clear();
          }
        },
        _ -> {});
    index.put(List.copyOf(docs));
    index.commit(rows.revision());
    inStep = true;
    uncommitted = false;
    return count.get();
  }

  /// Makes the index durable.
  ///
  /// @param revision of the rows
  void commit(long revision) {
    if (!inStep || !uncommitted) {
      return;
    }
    try {
      index.commit(revision);
      uncommitted = false;
    } catch (MemoryException e) {
      fail(e);
    }
  }

  @Override
  public void close() {
    index.close();
  }
}
