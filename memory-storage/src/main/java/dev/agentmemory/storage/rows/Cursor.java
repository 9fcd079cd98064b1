package dev.agentmemory.storage.rows;

/// The current row of a scan. The value is fetched only when it is requested.
public interface Cursor {

  byte[] key();

  byte[] value();

  /// The first bytes of the value, as many as there are up to a limit, without fetching the rest.
  byte[] head(int most);

  /// Receives a row.
  interface Visitor {

    /// @return whether to continue
    boolean row(Cursor cursor);
  }
}
