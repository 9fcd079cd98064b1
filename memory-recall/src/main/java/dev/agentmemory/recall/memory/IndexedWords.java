package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a word index in step with the rows. The rows decide: a failure of the index fails no
/// write, and an index that is not in step is built again before it answers.
///
/// A write only queues its changes, because indexing takes as long as the rest of a write. They are
/// applied before the next query, with the next [#commit], or when many wait, in each case without
/// the lock of the memories, so that no other write waits for them.
final class IndexedWords implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IndexedWords.class);

  /// Memories that are indexed at once when the index is built: enough for several threads.
  private static final int BATCH = 4096;

  /// UTF-16 units of rows that are indexed at once; a memory has up to 1 MB.
  private static final int BATCH_LENGTH = 8 << 20;

  /// Of so many calls of [#settle], one makes an index durable that changes before each of them.
  private static final int MOST_DELAYED = 10;

  /// Changes that wait before a write applies them.
  private static final int MANY_QUEUED = 256;

  private final WordIndex index;

  /// Held while the index changes, so that changes are applied in the order of their commits.
  private final Mutex applying = new Mutex();

  private final Deque<Queued> queue = new ConcurrentLinkedDeque<>();
  private final AtomicInteger queued = new AtomicInteger();
  private volatile boolean inStep;

  /// Of the rows, when the index was made durable. Changed while [#applying] is held.
  private long committed;

  /// Of the rows, at the last call of [#settle], and how many calls made nothing durable since.
  private long settling;

  private int delayed;

  private record Queued(List<WordIndex.Doc> put, Collection<MemoryId> removed) {

    int size() {
      return put.size() + removed.size();
    }
  }

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
    try (var _ = applying.hold()) {
      committed = index.revision();
      inStep = committed == revision;
    }
  }

  boolean isInStep() {
    return inStep;
  }

  /// Finds memories in an index that is in step.
  ///
  /// @return empty when it has failed and has to be built again
  Optional<List<MemoryId>> match(String query, Predicate<MemoryId> allowed, int limit) {
    try {
      applyQueued();
      return Optional.of(index.match(query, allowed, limit));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.STORAGE_FAILED);
      fail(e);
      return Optional.empty();
    }
  }

  /// Takes over what was committed. To be called while memories are locked for writing, so that
  /// changes are queued in the order of their commits.
  void queue(List<WordIndex.Doc> put, Collection<MemoryId> removed) {
    var change = new Queued(List.copyOf(put), List.copyOf(removed));
    if (inStep && change.size() > 0) {
      queue.add(change);
      queued.addAndGet(change.size());
    }
  }

  /// Applies what is queued if that is much, unless another thread does. To be called after a
  /// write, while memories are not locked.
  void applyMany() {
    if (queued.get() >= MANY_QUEUED) {
      applying
          .tryHold()
          .ifPresent(held -> {
            try (held) {
              applyQueued();
            } catch (MemoryException e) {
              fail(e);
            }
          });
    }
  }

  private void applyQueued() {
    if (queue.isEmpty()) {
      return;
    }
    try (var _ = applying.hold()) {
      for (Queued change = queue.peek(); change != null; change = queue.peek()) {
        if (!change.put().isEmpty()) {
          index.put(change.put());
        }
        if (!change.removed().isEmpty()) {
          index.remove(change.removed());
        }
        queue.remove();
        queued.addAndGet(-change.size());
      }
    }
  }

  private void fail(MemoryException e) {
    inStep = false;
    LOG.warn("the index of memories' words has failed and will be built again: {}", e.getMessage());
  }

  /// Builds the index from the rows. To be called while memories are locked for writing.
  ///
  /// @return how many memories it has
  long rebuild(MemoryRows rows) {
    try (var _ = applying.hold()) {
      inStep = false;
      queue.clear();
      queued.set(0);
      index.clear();
      var batch = new Batch(rows);
      rows.forEachRow(batch::add);
      batch.write();
      long revision = rows.revision();
      index.commit(revision);
      committed = revision;
      inStep = true;
      return batch.written;
    }
  }

  /// Rows that are read and indexed at once.
  private final class Batch {

    private final MemoryRows rows;
    private final List<StoredRecord> batch = new ArrayList<>();
    private int length;
    private long written;

    Batch(MemoryRows rows) {
      this.rows = rows;
    }

    void add(StoredRecord row) {
      batch.add(row);
      length += row.value().length();
      if (batch.size() == BATCH || length >= BATCH_LENGTH) {
        write();
      }
    }

    void write() {
      written += index.put(List.copyOf(batch), row -> rows.readable(row).map(IndexedWords::doc));
      batch.clear();
      length = 0;
    }
  }

  /// Applies what is queued. Makes the index durable if no memory was written since the last call,
  /// and at every tenth call otherwise: each time takes a new small file, which is merged later. A
  /// crash before lets the index be built again.
  ///
  /// @param revision that the rows had when memories were locked
  /// @return whether nothing is left to do
  boolean settle(long revision) {
    try (var _ = applying.hold()) {
      if (!inStep || committed >= revision) {
        return true;
      }
      boolean waits = revision != settling && delayed + 1 < MOST_DELAYED;
      settling = revision;
      delayed = waits ? delayed + 1 : 0;
      if (waits) {
        applyQueued();
        return false;
      }
    } catch (MemoryException e) {
      fail(e);
      return true;
    }
    commit(revision);
    return true;
  }

  /// Applies what is queued, and makes the index durable. What is committed meanwhile may become
  /// durable with it; then the index is newer than its revision until the next call, and a crash
  /// before lets it be built again.
  ///
  /// @param revision that the rows had when memories were locked
  void commit(long revision) {
    try (var _ = applying.hold()) {
      if (inStep && committed < revision) {
        applyQueued();
        index.commit(revision);
        committed = revision;
      }
    } catch (MemoryException e) {
      fail(e);
    }
  }

  /// Leaves nothing in the files of memories that were removed or replaced.
  ///
  /// @return whether that is so; else it has to be called again, when the index is in step
  boolean purge() {
    try (var _ = applying.hold()) {
      applyQueued();
      return inStep && index.purge();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.STORAGE_FAILED);
      fail(e);
      return false;
    }
  }

  @Override
  public void close() {
    index.close();
  }
}
