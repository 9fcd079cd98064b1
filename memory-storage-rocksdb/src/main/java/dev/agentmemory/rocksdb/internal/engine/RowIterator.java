package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.rows.Cursor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileReaderIterator;

/// An iterator of the engine over a table or over one of its files.
public final class RowIterator implements Cursor, AutoCloseable {

  private final AbstractRocksIterator<?> rows;
  private final Supplier<byte[]> key;
  private final Supplier<byte[]> value;
  private final ToIntFunction<ByteBuffer> head;

  private RowIterator(
      AbstractRocksIterator<?> rows,
      Supplier<byte[]> key,
      Supplier<byte[]> value,
      ToIntFunction<ByteBuffer> head) {
    this.rows = rows;
    this.key = key;
    this.value = value;
    this.head = head;
  }

  public static RowIterator of(RocksIterator table) {
    return new RowIterator(table, table::key, table::value, table::value);
  }

  public static RowIterator of(SstFileReaderIterator file) {
    return new RowIterator(file, file::key, file::value, file::value);
  }

  @Override
  public byte[] key() {
    return key.get();
  }

  @Override
  public byte[] value() {
    return value.get();
  }

  @Override
  public byte[] head(int most) {
    byte[] head = new byte[most];
    int length = this.head.applyAsInt(ByteBuffer.wrap(head));
    return length < most ? Arrays.copyOf(head, length) : head;
  }

  public boolean isValid() {
    return rows.isValid();
  }

  /// Seeks a key, or the next one in the direction.
  public void seek(byte[] place, CorruptionSkipper.Direction direction) {
    switch (direction) {
      case UP -> rows.seek(place);
      case DOWN -> rows.seekForPrev(place);
    }
  }

  public void seekToLast() {
    rows.seekToLast();
  }

  public void step(CorruptionSkipper.Direction direction) {
    switch (direction) {
      case UP -> rows.next();
      case DOWN -> rows.prev();
    }
  }

  void status() throws RocksDBException {
    rows.status();
  }

  @Override
  public void close() {
    rows.close();
  }
}
