package dev.agentmemory.storage;

import java.util.function.Supplier;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileReaderIterator;

/// An iterator of the engine, over a table or over a single file of it.
final class Rows implements Cursor, AutoCloseable {

  private final AbstractRocksIterator<?> rows;
  private final Supplier<byte[]> key;
  private final Supplier<byte[]> value;

  private Rows(AbstractRocksIterator<?> rows, Supplier<byte[]> key, Supplier<byte[]> value) {
    this.rows = rows;
    this.key = key;
    this.value = value;
  }

  static Rows of(RocksIterator table) {
    return new Rows(table, table::key, table::value);
  }

  static Rows of(SstFileReaderIterator file) {
    return new Rows(file, file::key, file::value);
  }

  @Override
  public byte[] key() {
    return key.get();
  }

  @Override
  public byte[] value() {
    return value.get();
  }

  boolean isValid() {
    return rows.isValid();
  }

  /// Goes to a key, or to the next one in the direction.
  void seek(byte[] place, Detour.Direction direction) {
    switch (direction) {
      case UP -> rows.seek(place);
      case DOWN -> rows.seekForPrev(place);
    }
  }

  void seekToLast() {
    rows.seekToLast();
  }

  void step(Detour.Direction direction) {
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
