package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamagedRange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TableProperties;

/// A scan of a table whose rows are written once, file by file.
///
/// The engine's own iterator merges all files and stops for all of them at the first unreadable
/// block. This scan merges the files and the rows in memory by key. Of a damaged file only the
/// unreadable blocks are skipped. A file that cannot be opened is skipped completely.
///
/// A file is opened when the scan reaches its first key and closed after its last, so few files are
/// open at a time. Of two rows with the same key the newer one counts.
final class FileScan implements AutoCloseable {

  private final Table table;
  private final CorruptionSkipper.Direction direction;
  private final BiConsumer<DamagedRange, RocksDBException> damage;
  private final RocksDB db;
  private final PriorityQueue<Part> parts;
  private final boolean filesKept;

  /// @param damage is notified of each skipped range
  FileScan(
      Database engine,
      Table table,
      CorruptionSkipper.Direction direction,
      byte[] start,
      BiConsumer<DamagedRange, RocksDBException> damage) {
    this.table = table;
    this.direction = direction;
    this.damage = damage;
    this.db = engine.db();
    this.parts = new PriorityQueue<>(order());
    // Rows that are flushed after this are in the iterator and in a file.
    parts.add(new InMemory(engine, start));
    this.filesKept = keepFiles();
    try {
      int age = 1;
      for (LiveFileMetaData file : newestFirst()) {
        if (reaches(file, start)) {
          parts.add(new InFile(file, start, age++));
        }
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /// Prevents the engine from deleting files. A database that is open for reading only deletes
  /// none, and does not support this call.
  private boolean keepFiles() {
    try {
      db.disableFileDeletions();
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }

  private Comparator<Part> order() {
    Comparator<Part> byKey = (one, other) -> Arrays.compareUnsigned(one.place, other.place);
    Comparator<Part> inDirection =
        direction == CorruptionSkipper.Direction.UP ? byKey : byKey.reversed();
    return inDirection
        .thenComparingInt(part -> part.rows == null ? 0 : 1)
        .thenComparingInt(part -> part.age);
  }

  private List<LiveFileMetaData> newestFirst() {
    return db.getLiveFilesMetaData().stream()
        .filter(file ->
            new String(file.columnFamilyName(), StandardCharsets.UTF_8).equals(table.label()))
        .sorted(
            Comparator.comparingInt(LiveFileMetaData::level)
                .thenComparing(Comparator.comparingLong(LiveFileMetaData::largestSeqno).reversed()))
        .toList();
  }

  private boolean reaches(LiveFileMetaData file, byte[] start) {
    return switch (direction) {
      case UP -> Arrays.compareUnsigned(file.largestKey(), start) >= 0;
      case DOWN -> Arrays.compareUnsigned(file.smallestKey(), start) <= 0;
    };
  }

  /// Visits rows from the start on.
  ///
  /// @param seen a row that was visited before and is skipped; null for none
  void run(byte @Nullable [] seen, Predicate<byte[]> within, Cursor.Visitor visitor)
      throws RocksDBException {
    byte[] last = seen;
    boolean goesOn = true;
    while (goesOn && !parts.isEmpty() && mayHave(parts.element(), within)) {
      Part part = parts.remove();
      boolean more = false;
      try {
        if (part.rows == null) {
          more = part.open();
        } else {
          goesOn = Arrays.equals(part.place, last) || visitor.row(part.rows);
          last = part.place;
          more = goesOn && part.step();
        }
      } finally {
        if (more) {
          parts.add(part);
        } else {
          part.close();
        }
      }
    }
  }

  /// Whether a part may have rows in the range. A descending scan may start after the range, so
  /// parts that are not open yet are kept.
  private boolean mayHave(Part part, Predicate<byte[]> within) {
    boolean unknown = part.rows == null && direction == CorruptionSkipper.Direction.DOWN;
    return unknown || within.test(part.place);
  }

  @Override
  public void close() {
    parts.forEach(Part::close);
    parts.clear();
    try {
      if (filesKept) {
        db.enableFileDeletions();
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while leaving the files of " + table.label(), e);
    }
  }

  /// A source of rows in order.
  private abstract class Part implements AutoCloseable {

    final int age;

    /// The key of the current row. Before the part is open, a lower bound of its keys in scan
    /// direction.
    byte[] place;

    @Nullable RowIterator rows;

    /// @param age 0 for the newest rows
    Part(byte[] place, int age) {
      this.place = place;
      this.age = age;
    }

    abstract RowIterator iterator();

    /// The last key in the direction of the scan; empty when unknown.
    abstract byte[] end();

    /// @return whether there is a current row
    boolean open() throws RocksDBException {
      return seek(place);
    }

    private boolean seek(byte[] start) throws RocksDBException {
      leave();
      RowIterator fresh = iterator();
      rows = fresh;
      fresh.seek(start, direction);
      return arrive(fresh);
    }

    boolean step() throws RocksDBException {
      RowIterator open = Objects.requireNonNull(rows);
      open.step(direction);
      return arrive(open);
    }

    final boolean arrive(RowIterator open) throws RocksDBException {
      if (open.isValid()) {
        place = open.key();
        return true;
      }
      var why = CorruptionSkipper.damage(open);
      if (why.isEmpty()) {
        return false;
      }
      var next = new CorruptionSkipper(this::iterator, direction).behind(place);
      damage.accept(range(place, next.orElseGet(this::end), why.get()), why.get());
      return next.isPresent() && seek(next.get());
    }

    private void leave() {
      if (rows != null) {
        rows.close();
        rows = null;
      }
    }

    @Override
    public void close() {
      leave();
    }
  }

  private DamagedRange range(byte[] near, byte[] far, RocksDBException why) {
    boolean up = direction == CorruptionSkipper.Direction.UP;
    return new DamagedRange(
        table.label(),
        Keys.text(up ? near : far),
        Keys.text(up ? far : near),
        RocksErrors.message(why));
  }

  /// Rows that are in no file yet. The memtable is pinned before the files are listed, so a row
  /// that is flushed meanwhile is not missed.
  private final class InMemory extends Part {

    private final Database engine;
    private final NoFiles none = new NoFiles();
    private final ReadOptions reading = new ReadOptions().setTableFilter(none);
    private final RowIterator pinned;

    InMemory(Database engine, byte[] start) {
      super(start, 0);
      this.engine = engine;
      this.pinned = iterator();
    }

    @Override
    boolean open() throws RocksDBException {
      rows = pinned;
      pinned.seek(place, direction);
      return arrive(pinned);
    }

    @Override
    RowIterator iterator() {
      return RowIterator.of(engine.db().newIterator(engine.handle(table), reading));
    }

    @Override
    byte[] end() {
      return new byte[0];
    }

    @Override
    public void close() {
      super.close();
      pinned.close();
      reading.close();
      none.close();
    }
  }

  /// Limits an iterator of the engine to the rows in memory.
  private static final class NoFiles extends AbstractTableFilter {
    @Override
    public boolean filter(TableProperties file) {
      return false;
    }
  }

  private final class InFile extends Part {

    private final LiveFileMetaData file;
    private final TableFile reader;

    InFile(LiveFileMetaData file, byte[] start, int age) {
      super(first(file, start), age);
      this.file = file;
      this.reader = new TableFile(Path.of(file.path(), file.fileName()));
    }

    @Override
    boolean open() throws RocksDBException {
      try {
        reader.open();
      } catch (RocksDBException e) {
        damage.accept(range(near(file), end(), e), e);
        return false;
      }
      return super.open();
    }

    @Override
    RowIterator iterator() {
      return reader.rows();
    }

    @Override
    byte[] end() {
      return direction == CorruptionSkipper.Direction.UP ? file.largestKey() : file.smallestKey();
    }

    @Override
    public void close() {
      super.close();
      reader.close();
    }
  }

  private byte[] near(LiveFileMetaData file) {
    return direction == CorruptionSkipper.Direction.UP ? file.smallestKey() : file.largestKey();
  }

  private byte[] first(LiveFileMetaData file, byte[] start) {
    byte[] near = near(file);
    boolean inside =
        switch (direction) {
          case UP -> Arrays.compareUnsigned(start, near) > 0;
          case DOWN -> Arrays.compareUnsigned(start, near) < 0;
        };
    return inside ? start : near;
  }
}
