package dev.agentmemory.search.internal.index;

import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.OutboxReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/// The generation that serves and, during a rebuild, the one that the rebuild fills. A generation
/// that is missing, damaged, of an older schema or of another log is replaced by an empty one.
///
/// One lock is held for each update, so documents, cursor and commit belong together. An update
/// first replaces a writer that has closed itself. Reads take no lock.
public final class ActiveGenerations {

  /// Outbox entries that are read at once.
  private static final int ENTRIES = 1000;

  private final Generations folders;
  private final EventReader events;
  private final OutboxReader outbox;
  private final String zone;
  private final PendingChanges pending;
  private final Runnable lost;
  private final Mutex writing = new Mutex();
  private volatile Generation current;
  private volatile long durable;
  private @Nullable Generation building;

  /// Files of [#current] that the last purge has replaced and readers may still have.
  private Set<String> former = Set.of();

  /// Opens the index in a folder, or starts one there.
  ///
  /// @param zone in which days begin
  /// @param ticker a clock that only goes forward, in nanoseconds
  /// @param lost is run under the lock when updates that were not durable are lost
  /// @throws MemoryException `CONFLICT` when another process uses the folder, `STORAGE_FAILED` when
  ///   it cannot be used at all
  public ActiveGenerations(
      Path home,
      EventReader events,
      OutboxReader outbox,
      ZoneId zone,
      Ticker ticker,
      Runnable lost) {
    this.folders = new Generations(home, new Analysis());
    this.events = events;
    this.outbox = outbox;
    this.zone = zone.getId();
    this.pending = new PendingChanges(ticker);
    this.lost = lost;
    this.current = opened();
    this.durable = current.cursor();
  }

  private Generation opened() {
    Optional<Generation> found = folders.open(zone);
    if (found.isEmpty()) {
      return started();
    }
    Generation there = found.get();
    if (isOfAnotherLog(there)) {
      there.close();
      Generation made = started();
      folders.keepNewest();
      return made;
    }
    if (misses(there)) {
      there.incomplete();
    }
    return there;
  }

  /// Whether it is of a store that was here before, or of events that a crash has taken back.
  private boolean isOfAnotherLog(Generation there) {
    return there.cursor() > outbox.head()
        || there
            .read(Vectors::latest)
            .filter(this::isUnknown)
            .filter(id -> !isErased(there, id))
            .isPresent();
  }

  /// Whether an event was erased after what the index has applied: its entry is still to come.
  private boolean isErased(Generation there, EventId id) {
    List<OutboxEntry> page = outbox.entries(there.cursor(), ENTRIES);
    while (!page.isEmpty()) {
      if (page.stream().anyMatch(entry -> entry.event().id().equals(id))) {
        return true;
      }
      page = outbox.entries(page.getLast().sequence(), ENTRIES);
    }
    return false;
  }

  private boolean isUnknown(EventId id) {
    try {
      return events.event(id).isEmpty();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      // It is there, which is all that was asked.
      return false;
    }
  }

  /// Whether entries after its cursor were trimmed from the outbox before it read them.
  private boolean misses(Generation there) {
    List<OutboxEntry> next = outbox.entries(there.cursor(), 1);
    return next.isEmpty()
        ? there.cursor() < outbox.head()
        : next.getFirst().sequence() > there.cursor() + 1;
  }

  /// An empty index. Entries up to the outbox's head may be trimmed already: they are in the log.
  private Generation started() {
    long head = outbox.head();
    Generation made = folders.next(zone);
    made.cursor(head);
    if (head == 0) {
      made.complete();
    }
    made.commit();
    return made;
  }

  /// Sequence of the last outbox entry that was applied.
  public long cursor() {
    return current.cursor();
  }

  /// Sequence of the last outbox entry whose effect a crash cannot undo.
  public long durableCursor() {
    return durable;
  }

  /// Whether the generation that serves was made from the whole log.
  public boolean isComplete() {
    return current.isComplete();
  }

  /// Size of the files of the generation that serves.
  public long bytes() {
    return current.bytes();
  }

  private <T> T locked(Supplier<T> work) {
    try (var _ = writing.hold()) {
      return work.get();
    }
  }

  private void exclusively(Runnable work) {
    locked(() -> {
      work.run();
      return true;
    });
  }

  /// Updates all generations.
  ///
  /// @param work returns how much it has written: documents, and at least 1 where the cursor moves
  /// @return how much was written to the generation that serves
  public int update(ToIntFunction<Generation> work) {
    return locked(() -> {
      repair();
      // First: if it fails, the cursor of the one that serves has not moved and entries come again.
      if (building != null) {
        var _ = work.applyAsInt(building);
      }
      int written = work.applyAsInt(current);
      if (written > 0) {
        pending.add(written);
      }
      return written;
    });
  }

  /// Updates all generations with outbox entries, and makes visible and durable what is due.
  ///
  /// @param first of the entries
  /// @throws MemoryException `STORAGE_FAILED` when the cursor has fallen back since the entries
  ///   were read
  public void apply(OutboxEntry first, ToIntFunction<Generation> work) {
    exclusively(() -> {
      repair();
      if (!isNext(first)) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "the search index could not be written; it continues from its last commit");
      }
      update(work);
    });
    maintain();
  }

  private boolean isNext(OutboxEntry first) {
    return first.sequence() <= cursor() + 1
        || outbox.entries(cursor(), 1).stream()
            .allMatch(next -> next.sequence() >= first.sequence());
  }

  /// Replaces the generation that serves when its writer has closed itself or its files are
  /// damaged. As long as that fails, too, what was visible can still be read.
  private void repair() {
    Generation broken = current;
    // A rebuild that goes on replaces a damaged generation.
    boolean usable = broken.isDamaged() ? building != null : broken.isOpen();
    if (usable) {
      return;
    }
    Optional<Generation> again = folders.reopen(broken);
    current = again.orElseGet(this::started);
    former = Set.of();
    broken.close();
    if (again.isEmpty()) {
      folders.keepNewest();
    }
    durable = current.cursor();
    pending.refreshed();
    pending.committed();
    lost.run();
  }

  /// Notes that something of the log is missing in the generation that serves.
  public void markIncomplete() {
    exclusively(() -> {
      current.incomplete();
      pending.add(1);
    });
  }

  /// Makes visible and durable what is due.
  ///
  /// @return whether something that was written is still invisible
  public boolean maintain() {
    refreshIfDue();
    exclusively(() -> {
      if (pending.isCommitDue()) {
        commit();
      }
    });
    return isUnseen();
  }

  /// Makes everything that was written durable.
  public void commit() {
    exclusively(() -> {
      repair();
      long reached = current.cursor();
      current.commit();
      durable = reached;
      pending.committed();
    });
  }

  /// Leaves nothing in the files of what was deleted or replaced.
  public void purge() {
    exclusively(() -> {
      repair();
      current.purge();
      long reached = current.cursor();
      current.commit();
      current.refresh();
      durable = reached;
      pending.refreshed();
      pending.committed();
      current.deleteUnused();
      former = current.formerFiles();
    });
  }

  /// Whether there are files that were replaced by the last purge: readers have them that have
  /// begun before it.
  public boolean hasFormerFiles() {
    return locked(() -> {
      if (!former.isEmpty()) {
        // What a merge was writing when the purge ended is in a commit later, or was replaced again
        // and is kept by the reader of the next search.
        commit();
        refresh();
        former = new HashSet<>(former);
        former.retainAll(current.formerFiles());
      }
      return !former.isEmpty();
    });
  }

  /// Commits, and links the files of the generation that serves into a new folder.
  public void checkpoint(Path folder) {
    exclusively(() -> {
      commit();
      current.linkInto(folder);
    });
  }

  /// Begins a rebuild.
  ///
  /// @return the generation to fill: a new one, or the one that serves where it is incomplete
  public Generation beginRebuild() {
    return locked(() -> {
      repair();
      if (!isComplete()) {
        return current;
      }
      Generation made = folders.next(zone);
      made.cursor(cursor());
      building = made;
      return made;
    });
  }

  /// Updates the generation that a rebuild fills, and makes visible and durable what is due.
  ///
  /// @param work returns how many documents it has written
  public void fill(Generation target, ToIntFunction<Generation> work) {
    exclusively(() -> {
      int written = work.applyAsInt(target);
      if (target == current && written > 0) {
        pending.add(written);
      }
    });
    maintain();
  }

  /// Lets the generation that a rebuild has filled serve, and deletes the one before.
  public void finishRebuild(Generation target) {
    exclusively(() -> {
      target.complete();
      target.commit();
      target.refresh();
      Generation old = current;
      current = target;
      former = Set.of();
      building = null;
      durable = target.cursor();
      if (old != target) {
        old.close();
        folders.keepNewest();
      }
    });
  }

  /// Ends a rebuild that has failed. What served before still serves.
  public void abandonRebuild(Generation target) {
    exclusively(() -> {
      if (target != current) {
        building = null;
        target.close();
      }
    });
  }

  /// Whether something that was written is not visible.
  public boolean isUnseen() {
    return pending.isUnseen();
  }

  /// Makes everything that was written visible.
  public void refresh() {
    pending.refreshed();
    Generation seen = current;
    try {
      seen.refresh();
    } catch (MemoryException e) {
      if (seen == current) {
        throw e;
      }
    }
  }

  private void refreshIfDue() {
    if (pending.isRefreshDue()) {
      refresh();
    }
  }

  /// Reads what is visible, after making visible what is overdue, if that can be done.
  <T> T read(Generation.Reading<T> reading) {
    if (current.isOpen()) {
      refreshIfDue();
    }
    while (true) {
      Generation seen = current;
      try {
        return seen.read(reading);
      } catch (AlreadyClosedException e) {
        if (seen == current) {
          throw new MemoryException(ErrorCode.CLOSED, "the search index is closed", e);
        }
      }
    }
  }

  /// Closes as a crash would: what was not committed is lost.
  public void abandon() {
    exclusively(() -> {
      Generation unfinished = building;
      if (unfinished != null) {
        abandonRebuild(unfinished);
      }
      current.close();
    });
  }

  /// Makes everything durable and closes.
  public void close() {
    exclusively(() -> {
      try {
        commit();
      } finally {
        abandon();
      }
    });
  }
}
