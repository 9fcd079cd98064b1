package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Changes in the form of a few statements for each table: first the ranges that are deleted, then
/// the rows that are deleted, then those that are put. So of two changes of one row only the later
/// one is kept.
final class PgBatch implements RowBatch {

  private final Map<Table, Changes> changes = new EnumMap<>(Table.class);
  private int rows;
  private long size;

  /// The changes of a table.
  static final class Changes {

    private final List<byte[][]> ranges = new ArrayList<>();

    /// The value of each changed row, by its key; empty for one that is deleted.
    private final NavigableMap<byte[], Optional<byte[]>> last =
        new TreeMap<>(Arrays::compareUnsigned);

    /// Ranges: the first key, and the one after the last.
    List<byte[][]> ranges() {
      return ranges;
    }

    byte[][] deleted() {
      return last.entrySet().stream()
          .filter(row -> row.getValue().isEmpty())
          .map(Map.Entry::getKey)
          .toArray(byte[][]::new);
    }

    byte[][] putKeys() {
      return last.entrySet().stream()
          .filter(row -> row.getValue().isPresent())
          .map(Map.Entry::getKey)
          .toArray(byte[][]::new);
    }

    byte[][] putValues() {
      return last.values().stream().flatMap(Optional::stream).toArray(byte[][]::new);
    }
  }

  @Override
  public void put(Table table, byte[] key, byte[] value) {
    // The caller may change its arrays afterwards.
    add(table, key.clone(), Optional.of(value.clone()));
    size += value.length;
  }

  @Override
  public void delete(Table table, byte[] key) {
    add(table, key.clone(), Optional.empty());
  }

  private void add(Table table, byte[] key, Optional<byte[]> value) {
    of(table).last.put(key, value);
    rows++;
    size += key.length;
  }

  @Override
  public void deleteRange(Table table, byte[] from, byte[] to) {
    Changes of = of(table);
    of.last.subMap(from, true, to, false).clear();
    of.ranges.add(new byte[][] {from.clone(), to.clone()});
    rows++;
    size += from.length + (long) to.length;
  }

  private Changes of(Table table) {
    return changes.computeIfAbsent(table, _ -> new Changes());
  }

  Map<Table, Changes> changes() {
    return changes;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void clear() {
    changes.clear();
    rows = 0;
    size = 0;
  }
}
