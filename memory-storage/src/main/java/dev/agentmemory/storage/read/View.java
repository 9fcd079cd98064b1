package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads the current rows or those of a snapshot. Scans stream: only the current row is in memory.
///
/// @param damage is notified of what cannot be read
public record View(RowReader rows, CorruptionListener damage) {

  private static final byte[] BEGINNING = new byte[0];

  /// Reads rows for a caller that passes over what cannot be read in a scan.
  public static View of(RowReader rows) {
    return new View(rows, (table, range, why) -> {});
  }

  public byte @Nullable [] get(Table table, byte[] key) {
    try {
      return rows.get(table, key);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      damage.refused(table, key, e);
      return null;
    }
  }

  public boolean has(Table table, byte[] key) {
    return get(table, key) != null;
  }

  /// Values of many keys, null where there is none.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when one of them cannot be read
  public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    return rows.get(table, keys);
  }

  /// Like [#get(Table, List)], for independent rows: an unreadable row is null, counted and
  /// reported.
  public List<byte @Nullable []> getReadable(Table table, List<byte[]> keys) {
    try {
      return get(table, keys);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
    }
    List<byte @Nullable []> found = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      found.add(readable(table, key, row -> row).orElse(null));
    }
    return found;
  }

  /// Visits rows from a key on, ascending. Unreadable ranges are skipped, counted and reported.
  ///
  /// @param to exclusive
  public void scan(Table table, byte[] from, byte[] to, Cursor.Visitor visitor) {
    rows.scan(table, from, to, visitor, damage);
  }

  public void scan(Table table, byte[] prefix, Cursor.Visitor visitor) {
    scan(table, prefix, Keys.after(prefix), visitor);
  }

  /// Visits rows with a prefix, descending.
  ///
  /// @param through the key to start at, inclusive
  public void scanBack(Table table, byte[] prefix, byte[] through, Cursor.Visitor visitor) {
    rows.scanBack(
        table,
        through,
        prefix,
        row -> Keys.startsWith(row.key(), prefix) && visitor.row(row),
        damage);
  }

  /// What rows hold, ascending.
  ///
  /// @param to exclusive
  /// @param limit of what is returned, 1 and up
  /// @param reading empty for a row that is passed over
  <T> List<T> list(
      Table table, byte[] from, byte[] to, int limit, Function<Cursor, Optional<T>> reading) {
    checkLimit(limit);
    var found = new ArrayList<T>();
    scan(table, from, to, row -> add(found, reading.apply(row), limit));
    return List.copyOf(found);
  }

  /// What rows with a prefix hold, descending.
  ///
  /// @param through the key to start at, inclusive
  <T> List<T> listBack(
      Table table,
      byte[] prefix,
      byte[] through,
      int limit,
      Function<Cursor, Optional<T>> reading) {
    checkLimit(limit);
    var found = new ArrayList<T>();
    scanBack(table, prefix, through, row -> add(found, reading.apply(row), limit));
    return List.copyOf(found);
  }

  private static <T> boolean add(List<T> found, Optional<T> next, int limit) {
    next.ifPresent(found::add);
    return found.size() < limit;
  }

  /// Visits all rows.
  public void scanAll(Table table, Cursor.Visitor visitor) {
    scan(table, BEGINNING, visitor);
  }

  /// A key after which there is no row: see [RowReader#lastKey].
  public byte[] lastKey(Table table) {
    return rows.lastKey(table);
  }

  /// Reads a row of a range. One damaged record must not hide the others.
  ///
  /// @return empty when the record cannot be read; that is counted and reported
  public <T> Optional<T> tolerant(Table table, byte[] key, Supplier<T> decoding) {
    try {
      return Optional.of(decoding.get());
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      String reason = Objects.requireNonNullElse(e.getMessage(), "");
      damage.skipped(table, DamagedRange.row(table.label(), Keys.text(key), reason), e);
      return Optional.empty();
    }
  }

  /// Reads the row of a key.
  ///
  /// @return empty also when the record cannot be read; that is counted and reported
  public <T> Optional<T> readable(Table table, byte[] key, Function<byte[], T> decoding) {
    return tolerant(table, key, () -> Optional.ofNullable(get(table, key)).map(decoding))
        .flatMap(found -> found);
  }

  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
  }
}
