package dev.agentmemory.storage;

/// The row at which a scan stands. Values are fetched only when asked for.
interface Cursor {

  byte[] key();

  byte[] value();

  /// Looks at one row.
  interface Visitor {

    /// @return whether to go on
    boolean row(Cursor cursor);
  }
}
