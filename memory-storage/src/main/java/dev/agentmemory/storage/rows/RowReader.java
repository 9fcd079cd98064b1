package dev.agentmemory.storage.rows;

import dev.agentmemory.types.MemoryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows: those of now, or those of one moment. The rows of a table are ordered by the
/// unsigned bytes of their keys. No key begins with the byte 0xFF.
///
/// Each method throws a [MemoryException] with `CLOSED` when the rows are closed, and with
/// `STORAGE_FAILED` when the engine refuses.
public interface RowReader {

  /// @return null when there is no such row
  /// @throws MemoryException `CORRUPT_RECORD` when it cannot be read
  byte @Nullable [] get(Table table, byte[] key);

  /// The values of many keys, in their order, null where there is none. An engine answers them
  /// together, which takes less time than one after the other.
  ///
  /// @param keys at least one
  /// @throws MemoryException `CORRUPT_RECORD` when one of them cannot be read
  List<byte @Nullable []> get(Table table, List<byte[]> keys);

  /// Visits rows, ascending. Only the current row needs to be in memory. Outside of
  /// [Rows#atOneMoment] an engine may show rows of later batches further on.
  ///
  /// @param from inclusive
  /// @param to exclusive
  /// @param damage is told of each range that cannot be read and is left out
  void scan(Table table, byte[] from, byte[] to, Cursor.Visitor visitor, DamageListener damage);

  /// Visits rows, descending.
  ///
  /// @param through the key to start at, inclusive
  /// @param to the last key, inclusive
  /// @param damage is told of each range that cannot be read and is left out
  void scanBack(
      Table table, byte[] through, byte[] to, Cursor.Visitor visitor, DamageListener damage);

  /// A key after which there is no row: the last one, the empty key when there is none, the
  /// greatest possible one when the end of the table cannot be read.
  byte[] lastKey(Table table);
}
