package dev.agentmemory.store;

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

  /// Reads the ledger of calls to models.
  UsageReader ledger();

  /// Reads the files of the store as they lie on the disk.
  FileReader files();

  /// Writes a commit: all of it or nothing, durable when the call returns, visible to every read
  /// that starts afterwards. This is the only way to write.
  ///
  /// Events are idempotent by id, decided inside the single writer: of two equal requests at the
  /// same time one answers [Receipt.Created]. An event that is refused as [Receipt.Conflict] does
  /// not keep the rest of the commit from being written. For every event that is created the store
  /// itself adds an outbox entry and keeps the session up to date.
  ///
  /// @return one receipt for each [Change.AppendEvent], in the commit's order
  /// @throws dev.agentmemory.types.MemoryException `QUEUE_FULL` when too much is waiting,
  ///   `DISK_FULL` when there is too little room for it, `CLOSED` after close, `STORAGE_FAILED`
  ///   when the engine refuses; nothing was acknowledged then
  List<Receipt> commit(Commit commit);

  /// The same without waiting. The future completes on the store's own thread, so what hangs on it
  /// must be short; it fails with the exceptions of [#commit].
  ///
  /// @throws dev.agentmemory.types.MemoryException `QUEUE_FULL`, `CLOSED` and mostly `DISK_FULL`
  ///   are thrown at once
  CompletableFuture<List<Receipt>> submit(Commit commit);

  /// The zone in which days begin; fixed when the store was created.
  ZoneId zone();

  /// Counters and sizes, cheap enough to ask for every second.
  StoreStats stats();

  /// What the store holds, counted exactly. Takes time in proportion to it, but no more memory.
  StoreUsage usage();

  /// Why the store takes no events now, and what to do about it; empty while it does. Reads go on.
  /// It mends by itself once the cause is gone; until then commits fail with `DISK_FULL` or
  /// `STORAGE_FAILED`. Costs nothing to ask.
  Optional<String> problem();

  /// What an operator has to know although the store works: a guard that was missing when it was
  /// opened or cannot be kept up. A sentence each; empty when there is nothing. Costs nothing to
  /// ask.
  default List<String> notes() {
    return List.of();
  }

  /// What could not be read since the store was opened: by reads, and by checks of its files. Costs
  /// nothing to ask.
  default DamageReport damage() {
    return DamageReport.NONE;
  }

  /// Checks what the store promises: sessions and by-id rows match the events, the outbox is dense,
  /// every latest pointer, child link, mark and grip reference leads somewhere, excerpts are
  /// verbatim, the ledger can be read.
  ///
  /// @param limit stop after that many findings
  /// @return empty when all is well
  default List<Finding> verify(int limit) {
    return verify(limit, () -> {});
  }

  /// The same at a pace of the caller's choosing: the check looks at one moment of the store, so it
  /// may take its time.
  ///
  /// @param between run after every few records at most, on the calling thread; it may rest, and
  ///   what it throws ends the check
  List<Finding> verify(int limit, Runnable between);

  /// Rewrites the files of all tables so that deleted and replaced records stop taking room. Reads
  /// and commits go on meanwhile.
  void compact();

  /// Writes what is waiting, then closes. Commits that come later fail with `CLOSED`; a second call
  /// does nothing.
  @Override
  void close();
}
