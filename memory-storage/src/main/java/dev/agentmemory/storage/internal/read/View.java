package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.rocksdb.CorruptionSkipper;
import dev.agentmemory.storage.internal.rocksdb.Cursor;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.storage.internal.rocksdb.Guard;
import dev.agentmemory.storage.internal.rocksdb.RocksErrors;
import dev.agentmemory.storage.internal.rocksdb.Rows;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/// Reads the current rows or those of a snapshot. Scans stream: only the current row is in memory.
public final class View {

  private final Database engine;
  private final Guard guard;
  private final ReadOptions options;
  private final CorruptionListener damage;

  /// Only current rows can be read file by file, because files do not belong to a snapshot.
  private final boolean fileByFile;

  /// Reads the current rows, without a [RocksStore].
  public static View of(Database engine) {
    return new View(engine, new Guard(), engine.reading(), (family, place, why) -> {});
  }

  public View(Database engine, Guard guard, ReadOptions options, CorruptionListener damage) {
    this.engine = engine;
    this.guard = guard;
    this.options = options;
    this.damage = damage;
    this.fileByFile = options.snapshot() == null;
  }

  public byte @Nullable [] get(Family family, byte[] key) {
    try (var _ = guard.enter()) {
      return engine.db().get(engine.handle(family), options, key);
    } catch (RocksDBException e) {
      MemoryException why = unreadable(family, Keys.text(key), e);
      why.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      damage.refused(family, key, why);
      return null;
    }
  }

  public boolean has(Family family, byte[] key) {
    return get(family, key) != null;
  }

  /// Values of many keys with one call into the engine, null where there is none. A row that seems
  /// to be absent is read again by a single get, because a multi-get also reports damaged rows and
  /// refused reads as absent.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when one of them cannot be read
  public List<byte @Nullable []> get(Family family, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    try (var _ = guard.enter()) {
      List<ColumnFamilyHandle> families = Collections.nCopies(keys.size(), engine.handle(family));
      var found =
          new ArrayList<byte @Nullable []>(engine.db().multiGetAsList(options, families, keys));
      for (int i = 0; i < keys.size(); i++) {
        if (found.get(i) == null) {
          found.set(i, get(family, keys.get(i)));
        }
      }
      return found;
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + family.table(), e);
    }
  }

  /// Like [#get(Family, List)], for independent rows: an unreadable row is null, counted and
  /// reported.
  public List<byte @Nullable []> getReadable(Family family, List<byte[]> keys) {
    try {
      return get(family, keys);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
    }
    List<byte @Nullable []> found = new ArrayList<>();
    for (byte[] key : keys) {
      found.add(readable(family, key, row -> row).orElse(null));
    }
    return found;
  }

  /// Visits rows from a key on, ascending. Unreadable ranges are skipped, counted and reported.
  ///
  /// @param to exclusive
  public void scan(Family family, byte[] from, byte[] to, Cursor.Visitor visitor) {
    walk(
        family,
        CorruptionSkipper.Direction.UP,
        from,
        key -> Arrays.compareUnsigned(key, to) < 0,
        visitor);
  }

  public void scan(Family family, byte[] prefix, Cursor.Visitor visitor) {
    scan(family, prefix, Keys.after(prefix), visitor);
  }

  /// Visits rows with a prefix, descending.
  ///
  /// @param through the key to start at, inclusive
  public void scanBack(Family family, byte[] prefix, byte[] through, Cursor.Visitor visitor) {
    walk(
        family,
        CorruptionSkipper.Direction.DOWN,
        through,
        key -> Keys.startsWith(key, prefix),
        visitor);
  }

  /// What rows hold, ascending.
  ///
  /// @param to exclusive
  /// @param limit of what is returned, 1 and up
  /// @param reading empty for a row that is passed over
  <T> List<T> list(
      Family family, byte[] from, byte[] to, int limit, Function<Cursor, Optional<T>> reading) {
    checkLimit(limit);
    var found = new ArrayList<T>();
    scan(family, from, to, row -> add(found, reading.apply(row), limit));
    return List.copyOf(found);
  }

  /// What rows with a prefix hold, descending.
  ///
  /// @param through the key to start at, inclusive
  <T> List<T> listBack(
      Family family,
      byte[] prefix,
      byte[] through,
      int limit,
      Function<Cursor, Optional<T>> reading) {
    checkLimit(limit);
    var found = new ArrayList<T>();
    scanBack(family, prefix, through, row -> add(found, reading.apply(row), limit));
    return List.copyOf(found);
  }

  private static <T> boolean add(List<T> found, Optional<T> next, int limit) {
    next.ifPresent(found::add);
    return found.size() < limit;
  }

  /// Visits all rows.
  public void scanAll(Family family, Cursor.Visitor visitor) {
    walk(family, CorruptionSkipper.Direction.UP, new byte[0], key -> true, visitor);
  }

  private void walk(
      Family family,
      CorruptionSkipper.Direction direction,
      byte[] from,
      Predicate<byte[]> within,
      Cursor.Visitor visitor) {
    try (var _ = guard.enter()) {
      var walk = new Walk(family, direction, within, visitor);
      Optional<byte[]> start = Optional.of(from);
      while (start.isPresent()) {
        start = walk.from(start.get());
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + family.table(), e);
    }
  }

  /// A scan that skips unreadable blocks.
  private final class Walk {

    private final Family family;
    private final CorruptionSkipper.Direction direction;
    private final Predicate<byte[]> within;
    private final Cursor.Visitor visitor;

    Walk(
        Family family,
        CorruptionSkipper.Direction direction,
        Predicate<byte[]> within,
        Cursor.Visitor visitor) {
      this.family = family;
      this.direction = direction;
      this.within = within;
      this.visitor = visitor;
    }

    /// @return where to continue after damage; empty at the end
    Optional<byte[]> from(byte[] start) throws RocksDBException {
      byte @Nullable [] last = null;
      try (Rows rows = iterator(family)) {
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
        if (!fileByFile || !family.isWrittenOnce()) {
          return behind(last == null ? start : last, why.get());
        }
      }
      throughFiles(last == null ? start : last, last);
      return Optional.empty();
    }

    private void throughFiles(byte[] start, byte @Nullable [] seen) throws RocksDBException {
      try (var files = new FileScan(engine, family, direction, start, this::leaveOut)) {
        files.run(seen, within, visitor);
      }
    }

    private Optional<byte[]> behind(byte[] last, RocksDBException why) throws RocksDBException {
      Optional<byte[]> next = new CorruptionSkipper(() -> iterator(family), direction).behind(last);
      String near = Keys.text(last);
      String far = next.map(Keys::text).orElse("");
      String reason = RocksErrors.message(why);
      leaveOut(
          switch (direction) {
            case UP -> new DamagedRange(family.table(), near, far, reason);
            case DOWN -> new DamagedRange(family.table(), far, near, reason);
          },
          why);
      return next.filter(within);
    }

    private void leaveOut(DamagedRange range, RocksDBException why) {
      damage.skipped(
          family,
          range,
          new MemoryException(
              ErrorCode.CORRUPT_RECORD, range.place() + " cannot be read: " + range.reason(), why));
    }
  }

  private Rows iterator(Family family) {
    return Rows.of(engine.db().newIterator(engine.handle(family), options));
  }

  /// A key after which there is no row: the last one, the empty key when there is none, the
  /// greatest possible one when the end of the table cannot be read.
  public byte[] lastKey(Family family) {
    try (var _ = guard.enter();
        Rows rows = iterator(family)) {
      rows.seekToLast();
      if (CorruptionSkipper.damage(rows).isPresent()) {
        return new byte[] {(byte) 0xFF};
      }
      return rows.isValid() ? rows.key() : new byte[0];
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading " + family.table(), e);
    }
  }

  /// Reads a row of a range. One damaged record must not hide the others.
  ///
  /// @return empty when the record cannot be read; that is counted and reported
  public <T> Optional<T> tolerant(Family family, byte[] key, Supplier<T> decoding) {
    try {
      return Optional.of(decoding.get());
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      String reason = Objects.requireNonNullElse(e.getMessage(), "");
      damage.skipped(family, DamagedRange.row(family.table(), Keys.text(key), reason), e);
      return Optional.empty();
    }
  }

  /// Reads the row of a key.
  ///
  /// @return empty also when the record cannot be read; that is counted and reported
  public <T> Optional<T> readable(Family family, byte[] key, Function<byte[], T> decoding) {
    return tolerant(family, key, () -> Optional.ofNullable(get(family, key)).map(decoding))
        .flatMap(found -> found);
  }

  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
  }

  private static MemoryException unreadable(Family family, String place, RocksDBException e) {
    MemoryException why = RocksErrors.translated("while reading " + family.table(), e);
    return why.code() == ErrorCode.CORRUPT_RECORD
        ? new MemoryException(why.code(), place + " cannot be read: " + RocksErrors.message(e), e)
        : why;
  }
}
