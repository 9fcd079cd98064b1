package dev.agentmemory.storage;

import org.rocksdb.RocksIterator;

/// The row at which a scan stands. Values are fetched only when asked for.
record Cursor(RocksIterator rows) {

  byte[] key() {
    return rows.key();
  }

  byte[] value() {
    return rows.value();
  }

  /// Looks at one row.
  interface Visitor {

    /// @return whether to go on
    boolean row(Cursor cursor);
  }
}
