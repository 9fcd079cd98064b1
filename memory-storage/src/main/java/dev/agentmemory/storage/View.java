package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/// Reading rows, as of now or as of one moment. Scans stream: nothing is held but the row at hand.
final class View {

  private final Engine engine;
  private final Guard guard;
  private final ReadOptions options;
  private final Damage damage;

  View(Engine engine, Guard guard, ReadOptions options, Damage damage) {
    this.engine = engine;
    this.guard = guard;
    this.options = options;
    this.damage = damage;
  }

  byte @Nullable [] get(Family family, byte[] key) {
    Lock inside = guard.enter();
    try {
      return engine.db().get(engine.handle(family), options, key);
    } catch (RocksDBException e) {
      throw Wall.translated("while reading " + family.table(), e);
    } finally {
      inside.unlock();
    }
  }

  boolean has(Family family, byte[] key) {
    return get(family, key) != null;
  }

  /// Values of many keys with one crossing into the engine, null where there is none.
  List<byte @Nullable []> get(Family family, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    Lock inside = guard.enter();
    try {
      List<ColumnFamilyHandle> families = Collections.nCopies(keys.size(), engine.handle(family));
      return new ArrayList<byte @Nullable []>(engine.db().multiGetAsList(options, families, keys));
    } catch (RocksDBException e) {
      throw Wall.translated("while reading " + family.table(), e);
    } finally {
      inside.unlock();
    }
  }

  /// Visits rows from a key on, ascending.
  ///
  /// @param to not included
  void scan(Family family, byte[] from, byte[] to, Cursor.Visitor visitor) {
    Lock inside = guard.enter();
    try (RocksIterator rows = engine.db().newIterator(engine.handle(family), options)) {
      var cursor = new Cursor(rows);
      rows.seek(from);
      while (rows.isValid() && before(rows, to) && visitor.row(cursor)) {
        rows.next();
      }
      rows.status();
    } catch (RocksDBException e) {
      throw Wall.translated("while reading " + family.table(), e);
    } finally {
      inside.unlock();
    }
  }

  void scan(Family family, byte[] prefix, Cursor.Visitor visitor) {
    scan(family, prefix, Keys.after(prefix), visitor);
  }

  /// Visits rows that begin like this, descending.
  ///
  /// @param through the place to start at, included
  void scanBack(Family family, byte[] prefix, byte[] through, Cursor.Visitor visitor) {
    Lock inside = guard.enter();
    try (RocksIterator rows = engine.db().newIterator(engine.handle(family), options)) {
      var cursor = new Cursor(rows);
      rows.seekForPrev(through);
      while (rows.isValid() && Keys.startsWith(rows.key(), prefix) && visitor.row(cursor)) {
        rows.prev();
      }
      rows.status();
    } catch (RocksDBException e) {
      throw Wall.translated("while reading " + family.table(), e);
    } finally {
      inside.unlock();
    }
  }

  /// A key that no row lies behind: the last one, the empty key when there is none, the greatest
  /// possible one when the end of the table cannot be read.
  byte[] lastKey(Family family) {
    Lock inside = guard.enter();
    try (RocksIterator rows = engine.db().newIterator(engine.handle(family), options)) {
      rows.seekToLast();
      rows.status();
      return rows.isValid() ? rows.key() : new byte[0];
    } catch (RocksDBException e) {
      return new byte[] {(byte) 0xFF};
    } finally {
      inside.unlock();
    }
  }

  /// Visits all rows.
  void scanAll(Family family, Cursor.Visitor visitor) {
    Lock inside = guard.enter();
    try (RocksIterator rows = engine.db().newIterator(engine.handle(family), options)) {
      var cursor = new Cursor(rows);
      rows.seekToFirst();
      while (rows.isValid() && visitor.row(cursor)) {
        rows.next();
      }
      rows.status();
    } catch (RocksDBException e) {
      throw Wall.translated("while reading " + family.table(), e);
    } finally {
      inside.unlock();
    }
  }

  /// Reads a row of a range: one damaged record must not hide all the others.
  ///
  /// @return empty when the record cannot be read; that is counted and reported
  <T> Optional<T> tolerant(Family family, byte[] key, Supplier<T> decoding) {
    try {
      return Optional.of(decoding.get());
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.CORRUPT_RECORD) {
        throw e;
      }
      damage.found(family, key, e);
      return Optional.empty();
    }
  }

  static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
  }

  private static boolean before(RocksIterator rows, byte[] to) {
    return Arrays.compareUnsigned(rows.key(), to) < 0;
  }
}
