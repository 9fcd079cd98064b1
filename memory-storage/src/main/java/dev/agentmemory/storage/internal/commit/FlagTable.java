package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import java.nio.ByteBuffer;

/// Rows for which a put has to know whether it adds one and a deletion whether it removes one. That
/// is needed to count rows, and because most deletions find nothing and would leave a tombstone.
final class FlagTable {

  private static final int BOUND = 1024;

  private final View view;
  private final Table table;
  private final Recent<ByteBuffer, State> recent = new Recent<>(BOUND);

  /// What is known about the row of a key.
  private enum State {
    STORED,
    ABSENT,
    /// Counts as absent. The count may then be one too high, which `verify` reports, but the put
    /// succeeds. A deletion is written: a recovery could find an earlier state of the row.
    UNREADABLE
  }

  /// What a deletion did.
  enum Removal {
    REMOVED,
    /// There was no row, so nothing was written.
    FOUND_NONE,
    /// The row cannot be read; a deletion was written and changes no count.
    UNKNOWN
  }

  FlagTable(View view, Table table) {
    this.view = view;
    this.table = table;
  }

  /// @return the change in the number of rows: 1 or 0
  int put(byte[] key, byte[] value, RowBatch batch) {
    State before = state(key);
    int added = add(key, value, batch);
    return before == State.STORED ? 0 : added;
  }

  /// Writes a row of which the caller knows that it is new. Nothing is looked up.
  ///
  /// @return the change in the number of rows: 1
  int add(byte[] key, byte[] value, RowBatch batch) {
    batch.put(table, key, value);
    recent.put(ByteBuffer.wrap(key), State.STORED);
    return 1;
  }

  /// @return the change in the number of rows: -1 or 0
  int delete(byte[] key, RowBatch batch) {
    return remove(key, batch) == Removal.REMOVED ? -1 : 0;
  }

  /// Like [#delete], for a caller that has to know whether anything was written.
  Removal remove(byte[] key, RowBatch batch) {
    State before = state(key);
    if (before == State.ABSENT) {
      return Removal.FOUND_NONE;
    }
    batch.delete(table, key);
    recent.put(ByteBuffer.wrap(key), State.ABSENT);
    return before == State.STORED ? Removal.REMOVED : Removal.UNKNOWN;
  }

  void trim() {
    recent.trim();
  }

  private State state(byte[] key) {
    return recent.get(ByteBuffer.wrap(key), k -> stored(key));
  }

  private State stored(byte[] key) {
    return view.tolerant(table, key, () -> view.has(table, key) ? State.STORED : State.ABSENT)
        .orElse(State.UNREADABLE);
  }
}
