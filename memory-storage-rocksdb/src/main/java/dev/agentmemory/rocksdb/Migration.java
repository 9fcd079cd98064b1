package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import org.rocksdb.RocksDBException;

/// Rewrites the rows of a store in the newest format.
///
/// Rows of earlier formats remain readable, and each later write of a row uses the newest format. A
/// migration rewrites the remaining rows in bounded batches. When it has reached the end, the
/// header records that no old rows are left, and a second run does nothing. After an interruption
/// the next run starts again and skips rows that are already in the newest format.
///
/// Only events of format 1 differ from the current format. The tables that later formats added are
/// created when the store is opened.
final class Migration {

  private final Database engine;
  private final View view;
  private final boolean dryRun;
  private final BatchWriter writer;
  private long rows;
  private long old;
  private long unreadable;

  /// @param dryRun only counts rows and changes none
  Migration(Database engine, boolean dryRun) {
    this.engine = engine;
    this.view = new View(RocksReader.of(engine), (table, range, why) -> unreadable++);
    this.writer = new BatchWriter(engine);
    this.dryRun = dryRun;
  }

  /// @param header the stored header; unless this is a dry run it has the current format already,
  ///   so that programs that do not know the format refuse the store
  /// @param oldest the oldest format that a row could have before
  MigrationReport run(StoreHeader header, int oldest) {
    if (header.hasOldRows()) {
      view.scanAll(
          Table.EVENTS,
          row -> {
            look(row.key(), row.value());
            return true;
          });
      if (!dryRun) {
        finish(header);
      }
    }
    return new MigrationReport(oldest, StoreHeader.CURRENT_VERSION, rows, old, unreadable);
  }

  private void look(byte[] key, byte[] value) {
    rows++;
    try {
      Optional<byte[]> renewed = EventCodec.renewed(value);
      if (renewed.isPresent()) {
        old++;
        if (!dryRun) {
          writer.put(Table.EVENTS, key, renewed.get());
        }
      }
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable++;
    }
  }

  private void finish(StoreHeader header) {
    writer.flush();
    // Unreadable rows may have an earlier format.
    write(unreadable == 0 ? header.migrated() : header.opened());
  }

  private void write(StoreHeader header) {
    writer.writeHeader(header);
    try {
      engine.syncLog();
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while syncing the log", e);
    }
  }
}
