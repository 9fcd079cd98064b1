package dev.agentmemory.store;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.Event;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A store of one workspace. All methods may be called from any thread until [#close].
public interface MemoryStore extends StoreReader, AutoCloseable {

  /// Reads the outbox and the dead letters.
  OutboxReader outbox();

  /// Reads checkpoints.
  CheckpointReader checkpoints();

  /// Reads all versions of nodes and all grips, one after the other.
  DerivedReader derived();

  /// Reads the ledger of calls to models.
  UsageReader ledger();

  /// Reads the rows that modules keep.
  RecordReader records();

  /// Reads the files of the store as they are on disk.
  FileReader files();

  /// Writes a commit: all of it or nothing, durable when the call returns, visible to every read
  /// that starts afterwards. This is the only way to write. The calling thread may do the writing
  /// itself, so it should be a platform thread.
  ///
  /// Events are idempotent by id, decided inside the single writer: of two equal requests at the
  /// same time one answers [Receipt.Created]. An event that is refused as [Receipt.Conflict] does
  /// not keep the rest of the commit from being written. For every event that is created the store
  /// itself adds an outbox entry and keeps the session up to date.
  ///
  /// @return one receipt for each [Change.AppendEvent], in the commit's order
  /// @throws dev.agentmemory.types.MemoryException `QUEUE_FULL` when too much is waiting,
  ///   `DISK_FULL` when there is too little disk space, `CLOSED` after close, `STORAGE_FAILED` when
  ///   the engine refuses, `CORRUPT_RECORD` when a stored row that decides about a change cannot be
  ///   read, such as one that may be an event of the commit; nothing was acknowledged then
  List<Receipt> commit(Commit commit);

  /// The same without waiting. The future completes on the store's own thread, so its callbacks
  /// must be short; it fails with the exceptions of [#commit].
  ///
  /// @throws dev.agentmemory.types.MemoryException `QUEUE_FULL`, `CLOSED` and mostly `DISK_FULL`
  ///   are thrown at once
  CompletableFuture<List<Receipt>> submit(Commit commit);

  /// Whether an event is, or says, what was erased, so that it would not be stored. Of an event
  /// that is stored it says whether it has come back, such as by a restore.
  boolean wasErased(Event event);

  /// A digest of a text, keyed with the secret of the store: who has only the digest cannot try
  /// texts.
  String digest(String text);

  /// The zone in which days begin; fixed when the store was created.
  ZoneId zone();

  /// Counters and sizes, cheap enough to ask for every second.
  StoreStats stats();

  /// What the storage engine tells of itself. Cheap, and waits for nothing.
  ///
  /// @throws dev.agentmemory.types.MemoryException `CLOSED`; `STORAGE_FAILED` while the store is
  ///   being reopened
  default StorageFigures figures() {
    return StorageFigures.NONE;
  }

  /// Exact record counts. Takes time in proportion to the store's size, but constant memory.
  StoreUsage usage();

  /// Why the store refuses events now, with the remedy; empty while it accepts them. Reads
  /// continue. It recovers by itself once the cause is gone; until then commits fail with
  /// `DISK_FULL` or `STORAGE_FAILED`. Cheap.
  Optional<String> problem();

  /// Warnings although the store works, such as a safeguard that was missing when it was opened or
  /// cannot be written. One sentence each; empty if there are none. Cheap.
  default List<String> notes() {
    return List.of();
  }

  /// What could not be read since the store was opened, by reads and by checks of its files. Cheap.
  default DamageReport damage() {
    return DamageReport.NONE;
  }

  /// Checks the invariants of the store: sessions and by-id rows match the events, the outbox is
  /// dense, every latest pointer, child link, mark and grip reference has a target, excerpts are
  /// verbatim, the ledger and the rows of modules can be read.
  ///
  /// @param limit stop after that many findings
  /// @return empty if nothing is wrong
  default List<Finding> verify(int limit) {
    return verify(limit, () -> {});
  }

  /// The same at the caller's pace. The check reads a snapshot of the store, so it may take long.
  ///
  /// @param between run after every few records, on the calling thread; it may sleep, and an
  ///   exception from it ends the check
  List<Finding> verify(int limit, Runnable between);

  /// Rewrites the files of all tables so that deleted and replaced records take no more space.
  /// Reads and commits continue meanwhile.
  void compact();

  /// Writes pending commits, then closes. Commits that come later fail with `CLOSED`; a second call
  /// does nothing.
  @Override
  void close();
}
