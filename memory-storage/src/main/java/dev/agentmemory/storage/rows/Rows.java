package dev.agentmemory.storage.rows;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.function.Function;

/// The rows of one store in an engine. The engine knows tables, keys and bytes; what they mean is
/// up to the store.
///
/// One thread at a time writes, and nobody else writes to these rows while they are open: the
/// engine refuses to open them, or refuses each later write of the former owner.
public interface Rows extends RowReader {

  /// The store, for messages.
  String name();

  /// A batch without changes.
  RowBatch batch();

  /// Writes a batch. When this returns, all of it is in the tables, and durable as far as the
  /// engine is configured to.
  ///
  /// @param batch that was made by [#batch]
  /// @throws MemoryException `DISK_FULL`; `CORRUPT_RECORD` with the remedy when the engine met
  ///   damaged rows that it rewrites; `NOT_OWNER` when another process writes these rows now; else
  ///   `STORAGE_FAILED`. All of the batch or nothing of it was written then, and only opening the
  ///   rows again shows which
  void write(RowBatch batch);

  /// Reads the rows of one moment. Writes meanwhile do not affect it.
  ///
  /// @param reading must not keep the reader
  <T> T atOneMoment(Function<RowReader, T> reading);

  /// To be called repeatedly during a long read.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the read has to end, because the rows have to be
  ///   opened again
  void checkMayGoOn();

  /// How many times writes were made durable.
  long syncs();

  /// Bytes on the disk.
  long bytes();

  /// Bytes of a table on the disk, without rows that are only in a log.
  long bytes(Table table);

  /// What the engine counts and estimates. Reads no rows and does not wait.
  StorageFigures figures();

  /// Rewrites the tables without what was replaced and deleted, if the engine does not do so by
  /// itself. Returns early when the rows are closed.
  void compact();

  /// The exception for rows of a store that is closed.
  static MemoryException closed() {
    return new MemoryException(ErrorCode.CLOSED, "the store is closed; open it again");
  }
}
