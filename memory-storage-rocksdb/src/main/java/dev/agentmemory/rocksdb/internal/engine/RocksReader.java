package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.RowReader;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/// Reads the current rows of an open database, or those of a snapshot.
public class RocksReader implements RowReader {

  private final Database engine;
  private final Guard guard;
  private final ReadOptions options;

  /// Only current rows can be read file by file, because files do not belong to a snapshot.
  private final boolean fileByFile;

  /// Reads the current rows of a database that nobody closes meanwhile.
  public static RocksReader of(Database engine) {
    return new RocksReader(engine, new Guard(), engine.reading());
  }

  RocksReader(Database engine, Guard guard, ReadOptions options) {
    this.engine = engine;
    this.guard = guard;
    this.options = options;
    this.fileByFile = options.snapshot() == null;
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    try (var _ = guard.enter()) {
      return engine.db().get(engine.handle(table), options, key);
    } catch (RocksDBException e) {
      throw unreadable(table, Keys.text(key), e);
    }
  }

  /// A row that seems to be absent is read again by a single get, because a multi-get also reports
  /// damaged rows and refused reads as absent.
  @Override
  public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
    try (var _ = guard.enter()) {
      List<ColumnFamilyHandle> families = Collections.nCopies(keys.size(), engine.handle(table));
      var found =
          new ArrayList<byte @Nullable []>(engine.db().multiGetAsList(options, families, keys));
      for (int i = 0; i < keys.size(); i++) {
        if (found.get(i) == null) {
          found.set(i, get(table, keys.get(i)));
        }
      }
      return found;
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + table.label(), e);
    }
  }

  @Override
  public void scan(
      Table table, byte[] from, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    walk(
        new Walk(
            table,
            CorruptionSkipper.Direction.UP,
            key -> Arrays.compareUnsigned(key, to) < 0,
            visitor,
            damage),
        from);
  }

  @Override
  public void scanBack(
      Table table, byte[] through, byte[] to, Cursor.Visitor visitor, DamageListener damage) {
    walk(
        new Walk(
            table,
            CorruptionSkipper.Direction.DOWN,
            key -> Arrays.compareUnsigned(key, to) >= 0,
            visitor,
            damage),
        through);
  }

  private void walk(Walk walk, byte[] from) {
    try (var _ = guard.enter()) {
      Optional<byte[]> start = Optional.of(from);
      while (start.isPresent()) {
        start = walk.from(start.get());
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + walk.table.label(), e);
    }
  }

  /// A scan that skips unreadable blocks.
  private final class Walk {

    private final Table table;
    private final CorruptionSkipper.Direction direction;
    private final Predicate<byte[]> within;
    private final Cursor.Visitor visitor;
    private final DamageListener damage;

    Walk(
        Table table,
        CorruptionSkipper.Direction direction,
        Predicate<byte[]> within,
        Cursor.Visitor visitor,
        DamageListener damage) {
      this.table = table;
      this.direction = direction;
      this.within = within;
      this.visitor = visitor;
      this.damage = damage;
    }

    /// @return where to continue after damage; empty at the end
    Optional<byte[]> from(byte[] start) throws RocksDBException {
      byte @Nullable [] last = null;
      try (RowIterator rows = iterator(table)) {
        for (rows.seek(start, direction); rows.isValid(); rows.step(direction)) {
          last = rows.key();
          if (!within.test(last) || !visitor.row(rows)) {
            return Optional.empty();
          }
        }
        Optional<RocksDBException> why = CorruptionSkipper.damage(rows);
        if (why.isEmpty()) {
          return Optional.empty();
        }
        if (!fileByFile || !table.isWrittenOnce()) {
          return behind(last == null ? start : last, why.get());
        }
      }
      throughFiles(last == null ? start : last, last);
      return Optional.empty();
    }

    private void throughFiles(byte[] start, byte @Nullable [] seen) throws RocksDBException {
      try (var files = new FileScan(engine, table, direction, start, this::leaveOut)) {
        files.run(seen, within, visitor);
      }
    }

    private Optional<byte[]> behind(byte[] last, RocksDBException why) throws RocksDBException {
      Optional<byte[]> next = new CorruptionSkipper(() -> iterator(table), direction).behind(last);
      String near = Keys.text(last);
      String far = next.map(Keys::text).orElse("");
      String reason = RocksErrors.message(why);
      leaveOut(
          switch (direction) {
            case UP -> new DamagedRange(table.label(), near, far, reason);
            case DOWN -> new DamagedRange(table.label(), far, near, reason);
          },
          why);
      return next.filter(within);
    }

    private void leaveOut(DamagedRange range, RocksDBException why) {
      damage.skipped(
          table,
          range,
          new MemoryException(
              ErrorCode.CORRUPT_RECORD, range.place() + " cannot be read: " + range.reason(), why));
    }
  }

  private RowIterator iterator(Table table) {
    return RowIterator.of(engine.db().newIterator(engine.handle(table), options));
  }

  @Override
  public byte[] lastKey(Table table) {
    try (var _ = guard.enter();
        RowIterator rows = iterator(table)) {
      rows.seekToLast();
      if (CorruptionSkipper.damage(rows).isPresent()) {
        return new byte[] {(byte) 0xFF};
      }
      return rows.isValid() ? rows.key() : new byte[0];
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + table.label(), e);
    }
  }

  private static MemoryException unreadable(Table table, String place, RocksDBException e) {
    MemoryException why = RocksErrors.translated("while reading " + table.label(), e);
    return why.code() == ErrorCode.CORRUPT_RECORD
        ? new MemoryException(why.code(), place + " cannot be read: " + RocksErrors.message(e), e)
        : why;
  }
}
