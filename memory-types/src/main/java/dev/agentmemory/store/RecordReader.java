package dev.agentmemory.store;

import java.util.List;
import java.util.Optional;

/// Reads the rows that modules keep in a store, such as curated memories. Keys are in the order of
/// their UTF-8 bytes.
public interface RecordReader {

  /// @return empty when there is none
  Optional<String> record(String key);

  /// Records whose key begins with a prefix, ascending.
  ///
  /// @param after continue after this key; empty to start
  /// @param limit at most that many, 1 and up
  List<StoredRecord> records(String prefix, Optional<String> after, int limit);
}
