package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.function.Function;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/// The rows of a store in a database of its own. Calls enter the engine on the caller's thread.
/// That should be a platform thread, because they pin virtual threads.
public final class RocksRows extends RocksReader implements Rows {

  private static final int FIRST_CAPACITY = 16 << 10;

  private final String name;
  private final Database engine;
  private final Guard guard;
  private final BatchSink sink;

  /// @param name of the store, for messages
  /// @param guard keeps readers out of a closed database
  /// @param sink that batches are written to
  public RocksRows(String name, Database engine, Guard guard, BatchSink sink) {
    super(engine, guard, engine.reading());
    this.name = name;
    this.engine = engine;
    this.guard = guard;
    this.sink = sink;
  }

  @Override
  public RowBatch batch() {
    return new RocksBatch(engine::number, FIRST_CAPACITY);
  }

  @Override
  public void write(RowBatch batch) {
    try {
      sink.write(((RocksBatch) batch).toBytes());
      sink.sync();
    } catch (RocksDBException e) {
      throw CorruptionSkipper.isDamage(e)
          ? new MemoryException(
              ErrorCode.CORRUPT_RECORD,
              "a damaged file ended compaction, so a write was not acknowledged; run"
                  + " `memory doctor` (the store reopens without compaction automatically)",
              e)
          : RocksErrors.translated("while writing", e);
    }
  }

  @Override
  public <T> T atOneMoment(Function<RowReader, T> reading) {
    try (var _ = guard.enter()) {
      RocksDB db = engine.db();
      Snapshot moment = db.getSnapshot();
      try (var options = new ReadOptions().setSnapshot(moment).setFillCache(false)) {
        return reading.apply(new RocksReader(engine, guard, options));
      } finally {
        db.releaseSnapshot(moment);
      }
    }
  }

  @Override
  public void checkMayGoOn() {
    if (guard.isAwaited()) {
      throw reopening();
    }
  }

  private static MemoryException reopening() {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED, "the store is being reopened after a failure; try again");
  }

  @Override
  public long syncs() {
    try (var _ = guard.enter()) {
      return engine.walSyncs();
    }
  }

  @Override
  public long bytes() {
    try (var _ = guard.enter()) {
      return engine.diskBytes();
    }
  }

  @Override
  public long bytes(Table table) {
    try (var _ = guard.enter()) {
      return engine.diskBytes(table);
    }
  }

  @Override
  public StorageFigures figures() {
    try (var _ = guard.tryEnter().orElseThrow(RocksRows::reopening)) {
      return engine.figures();
    }
  }

  @Override
  public void compact() {
    try (var _ = guard.enter()) {
      engine.compact();
    }
  }

  @Override
  public String name() {
    return name;
  }
}
