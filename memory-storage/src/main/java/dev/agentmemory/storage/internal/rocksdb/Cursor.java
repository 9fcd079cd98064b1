package dev.agentmemory.storage.internal.rocksdb;

/// The row at which a scan stands. Values are fetched only when asked for.
public interface Cursor {

  byte[] key();

  byte[] value();

  /// The first bytes of the value, as many as there are, without fetching the rest.
  byte[] head(int most);

  /// Looks at one row.
  interface Visitor {

    /// @return whether to go on
    boolean row(Cursor cursor);
  }
}
