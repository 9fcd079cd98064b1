package dev.agentmemory.storage;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rows in sorted maps. Writes can be made to fail.
public final class HeapRows implements Rows {

  private final Map<Table, NavigableMap<byte[], byte[]>> tables = new EnumMap<>(Table.class);
  private volatile @Nullable MemoryException failure;
  private volatile boolean closed;
  private long writes;

  public HeapRows() {
    for (Table table : Table.values()) {
      tables.put(table, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
    }
  }

  private HeapRows(HeapRows other) {
    other.tables.forEach((table, rows) -> {
      var copy = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
      copy.putAll(rows);
      tables.put(table, copy);
    });
  }

  /// Lets writes fail, until this is called with null.
  void fail(@Nullable MemoryException why) {
    failure = why;
  }

  void close() {
    closed = true;
  }

  /// The same rows for another store.
  HeapRows reopened() {
    return new HeapRows(this);
  }

  private NavigableMap<byte[], byte[]> rows(Table table) {
    if (closed) {
      throw Rows.closed();
    }
    return Objects.requireNonNull(tables.get(table));
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    return rows(table).get(key);
  }

  @Override
  public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
    List<byte @Nullable []> found = new ArrayList<>();
    keys.forEach(key -> found.add(get(table, key)));
    return found;
  }

  @Override
  public void scan(
      Table table, byte[] from, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    NavigableMap<byte[], byte[]> rows = rows(table);
    if (Arrays.compareUnsigned(from, to) < 0) {
      visit(rows.subMap(from, true, to, false), visitor);
    }
  }

  @Override
  public void scanBack(
      Table table, byte[] through, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    NavigableMap<byte[], byte[]> rows = rows(table);
    if (Arrays.compareUnsigned(to, through) <= 0) {
      visit(rows.subMap(to, true, through, true).descendingMap(), visitor);
    }
  }

  private static void visit(NavigableMap<byte[], byte[]> rows, Cursor.Visitor visitor) {
    for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
      if (!visitor.row(Cursor.of(row.getKey(), row.getValue()))) {
        return;
      }
    }
  }

  @Override
  public byte[] lastKey(Table table) {
    NavigableMap<byte[], byte[]> rows = rows(table);
    return rows.isEmpty() ? new byte[0] : rows.lastKey();
  }

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public RowBatch batch() {
    return new Batch();
  }

  private static final class Batch implements RowBatch {

    private final List<Consumer<HeapRows>> changes = new ArrayList<>();
    private long size;

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      byte[] kept = key.clone();
      byte[] content = value.clone();
      changes.add(into -> into.rows(table).put(kept, content));
      size += key.length + value.length;
    }

    @Override
    public void delete(Table table, byte[] key) {
      byte[] kept = key.clone();
      changes.add(into -> into.rows(table).remove(kept));
      size += key.length;
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
      changes.add(into -> into.rows(table).subMap(from, true, to, false).clear());
    }

    @Override
    public int rows() {
      return changes.size();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void clear() {
      changes.clear();
      size = 0;
    }
  }

  @Override
  public void write(RowBatch batch) {
    MemoryException why = failure;
    if (why != null) {
      throw why;
    }
    ((Batch) batch).changes.forEach(change -> change.accept(this));
    writes++;
  }

  @Override
  public <T> T atOneMoment(Function<RowReader, T> reading) {
    return reading.apply(new HeapRows(this));
  }

  @Override
  public void checkMayGoOn() {
    // They are never opened again.
  }

  @Override
  public long syncs() {
    return writes;
  }

  @Override
  public long bytes() {
    return Arrays.stream(Table.values()).mapToLong(this::bytes).sum();
  }

  @Override
  public long bytes(Table table) {
    return rows(table).entrySet().stream()
        .mapToLong(row -> row.getKey().length + row.getValue().length)
        .sum();
  }

  @Override
  public StorageFigures figures() {
    return StorageFigures.NONE;
  }

  @Override
  public void compact() {
    // Nothing is left of what was replaced.
  }
}
