package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/// Builds a write batch in RocksDB's own format, which the write-ahead log uses too, in the Java
/// heap. So a group of any size is passed to the engine in one call instead of one call for each
/// row.
///
/// ```
/// sequence: 8 bytes, set by the engine   count: 4 bytes little-endian   then per row:
/// 0x05 family key value   put    0x04 family key   delete    0x0E family from to   range delete
/// family: varint      key, value: varint length, then the bytes
/// ```
public final class RocksBatch implements RowBatch {

  private static final int HEADER = 12;
  private static final int COUNT_AT = 8;
  private static final byte DELETE = 0x04;
  private static final byte PUT = 0x05;
  private static final byte RANGE_DELETE = 0x0E;

  /// Capacity that is kept for the next group.
  private static final int KEPT = 1 << 20;

  private final ToIntFunction<Table> numbers;
  private byte[] bytes;
  private int length = HEADER;
  private int rows;

  /// @param numbers of the tables in the database
  /// @param capacity bytes of rows for which space is reserved
  public RocksBatch(ToIntFunction<Table> numbers, int capacity) {
    this.numbers = numbers;
    this.bytes = new byte[HEADER + capacity];
  }

  @Override
  public void put(Table table, byte[] key, byte[] value) {
    reserve(1 + 3 * 5 + key.length + value.length);
    tag(PUT, table);
    slice(key);
    slice(value);
  }

  @Override
  public void delete(Table table, byte[] key) {
    reserve(1 + 2 * 5 + key.length);
    tag(DELETE, table);
    slice(key);
  }

  @Override
  public void deleteRange(Table table, byte[] from, byte[] to) {
    reserve(1 + 3 * 5 + from.length + to.length);
    tag(RANGE_DELETE, table);
    slice(from);
    slice(to);
  }

  @Override
  public long size() {
    return (long) length - HEADER;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public void clear() {
    length = HEADER;
    rows = 0;
    if (bytes.length > 2 * KEPT) {
      bytes = new byte[KEPT];
    }
  }

  public byte[] toBytes() {
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_AT, rows);
    return Arrays.copyOf(bytes, length);
  }

  /// Receives the changes of a batch.
  public interface Visitor {
    void put(int table, byte[] key, byte[] value);

    void delete(int table, byte[] key);
  }

  /// Visits the rows that a stored batch puts and deletes, in order. Deletions of ranges, which
  /// only the outbox has, are skipped.
  ///
  /// @throws java.nio.BufferUnderflowException when the batch is truncated, and
  ///   [IllegalArgumentException] for entries that this program does not write
  public static void visit(byte[] batch, Visitor visitor) {
    var rest = ByteBuffer.wrap(batch, HEADER, batch.length - HEADER);
    while (rest.hasRemaining()) {
      byte tag = rest.get();
      int table = readVarint(rest);
      switch (tag) {
        case PUT -> visitor.put(table, readSlice(rest), readSlice(rest));
        case DELETE -> visitor.delete(table, readSlice(rest));
        case RANGE_DELETE -> {
          readSlice(rest);
          readSlice(rest);
        }
        default -> throw new IllegalArgumentException("a row of kind " + tag);
      }
    }
  }

  private static byte[] readSlice(ByteBuffer from) {
    int size = readVarint(from);
    if (size < 0 || size > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] slice = new byte[size];
    from.get(slice);
    return slice;
  }

  private static int readVarint(ByteBuffer from) {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte part = from.get();
      value |= (part & 0x7F) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than five bytes");
  }

  private void tag(byte tag, Table table) {
    bytes[length++] = tag;
    varint(numbers.applyAsInt(table));
    rows++;
  }

  private void slice(byte[] data) {
    varint(data.length);
    System.arraycopy(data, 0, bytes, length, data.length);
    length += data.length;
  }

  private void varint(int value) {
    int rest = value;
    while (rest >= 0x80) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
  }
}
