package dev.agentmemory.storage.rows;

import org.jspecify.annotations.Nullable;

/// One row that is put or deleted.
public final class RowChange {

  private final Table table;
  private final byte[] key;
  private final byte @Nullable [] value;

  private RowChange(Table table, byte[] key, byte @Nullable [] value) {
    this.table = table;
    this.key = key;
    this.value = value;
  }

  /// A row that is added or replaced.
  public static RowChange put(Table table, byte[] key, byte[] value) {
    return new RowChange(table, key, value);
  }

  /// A row that is removed, if there is one.
  public static RowChange delete(Table table, byte[] key) {
    return new RowChange(table, key, null);
  }

  public void addTo(RowBatch batch) {
    if (value == null) {
      batch.delete(table, key);
    } else {
      batch.put(table, key, value);
    }
  }

  /// Bytes of key and value.
  public long size() {
    return key.length + (value == null ? 0L : value.length);
  }
}
