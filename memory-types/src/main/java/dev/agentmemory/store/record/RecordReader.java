package dev.agentmemory.store.record;

import java.util.List;
import java.util.Optional;

/// Reads the rows that modules keep in a store, such as curated memories. Keys are in the order of
/// their UTF-8 bytes.
public interface RecordReader {

  /// @return the value; empty when there is no row with this key
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` for a text that cannot be a key,
  ///   `CORRUPT_RECORD` when the row cannot be read
  Optional<String> record(String key);

  /// Rows whose key begins with a prefix, ascending. Rows that cannot be read are skipped and
  /// reported ([dev.agentmemory.store.PassedOver]). All rows of the result are in memory at once,
  /// so choose the limit by their size.
  ///
  /// @param prefix empty for all rows
  /// @param after continue after this key, which may lie outside the prefix; empty to start
  /// @param limit at most that many, 1 and up
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` for a prefix that is no valid
  ///   Unicode or an `after` that cannot be a key
  List<StoredRecord> records(String prefix, Optional<String> after, int limit);
}
