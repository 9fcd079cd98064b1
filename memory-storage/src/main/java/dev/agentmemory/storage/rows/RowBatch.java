package dev.agentmemory.storage.rows;

/// Changes of rows that are written together, in the form that the engine takes. Of two changes of
/// one row the later one counts. Used by one thread at a time.
public interface RowBatch {

  /// Adds a row or replaces it. Later changes of the arrays have no effect.
  void put(Table table, byte[] key, byte[] value);

  /// Removes a row, if there is one.
  void delete(Table table, byte[] key);

  /// Removes the rows of a range.
  ///
  /// @param from inclusive
  /// @param to exclusive
  void deleteRange(Table table, byte[] from, byte[] to);

  /// How many changes it has.
  int rows();

  /// Bytes of its rows.
  long size();

  /// Removes all changes, so that it can be used again.
  void clear();
}
