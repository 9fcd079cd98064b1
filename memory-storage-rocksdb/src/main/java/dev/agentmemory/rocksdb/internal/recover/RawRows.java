package dev.agentmemory.rocksdb.internal.recover;

import dev.agentmemory.rocksdb.internal.engine.BitRepair;
import dev.agentmemory.rocksdb.internal.engine.CorruptionSkipper;
import dev.agentmemory.rocksdb.internal.engine.LogFile;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.rocksdb.internal.engine.RowIterator;
import dev.agentmemory.rocksdb.internal.engine.TableFile;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/// Every row that can be read in the files of a database, whatever its manifest says. Table files
/// are opened one by one, logs are read record by record. A row may occur more than once, and it
/// may have been deleted or replaced since. So this is suitable for tables whose rows are written
/// once. For the other tables it is a first step ([CurrentRecords]): their files are read from the
/// oldest to the newest, so that the last state of a row that is seen is most likely the current
/// one. Deletions are seen in logs only.
///
/// Works on a copy of the files: a file that cannot be read because of one flipped bit is repaired
/// there ([BitRepair], [LogFile]).
public final class RawRows {

  private static final byte[] BEGINNING = {};

  private final Path folder;
  private final List<String> damaged = new ArrayList<>();

  /// The numbers of the tables in the logs.
  private final Map<Integer, Table> tables = new HashMap<>();

  public RawRows(Path folder) {
    this.folder = folder;
  }

  /// Receives the rows.
  public interface Visitor {
    void row(Table table, byte[] key, byte[] value);

    /// A row was deleted.
    void deletion(Table table, byte[] key);

    /// All table files were read; the logs follow.
    void logsBegin();
  }

  /// A file of a table whose rows are replaced.
  ///
  /// @param oldestRows when its oldest rows were written
  private record Replaceable(Path path, long oldestRows) {

    /// Files of a second are in the order of their numbers.
    static final Comparator<Replaceable> BY_AGE =
        Comparator.comparingLong(Replaceable::oldestRows).thenComparing(Replaceable::path);
  }

  /// Reads all files, tables first.
  public void read(Visitor visitor) throws IOException {
    // The engine numbers the tables of a new database in their order, after its default one.
    int next = 1;
    for (Table table : Table.values()) {
      tables.put(next++, table);
    }
    var replaceable = new ArrayList<Replaceable>();
    for (Path file : files(".sst")) {
      table(file, visitor, replaceable);
    }
    replaceable.sort(Replaceable.BY_AGE);
    for (Replaceable file : replaceable) {
      table(file.path(), visitor);
    }
    visitor.logsBegin();
    for (Path file : files(".log")) {
      log(file, visitor);
    }
  }

  /// What could not be read: a sentence for each range.
  public List<String> damaged() {
    return List.copyOf(damaged);
  }

  private List<Path> files(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /// Reads a file, or adds it to the list of those that are read later in the order of their age.
  private void table(Path path, Visitor visitor, List<Replaceable> later) throws IOException {
    try (var file = new TableFile(path)) {
      open(file, path);
      Optional<Table> table = file.table();
      if (table.isPresent()) {
        tables.put(file.tableNumber(), table.get());
        if (table.get().isWrittenOnce()) {
          rows(file, path, table.get(), visitor);
        } else {
          later.add(new Replaceable(path, file.oldestRows()));
        }
      }
    } catch (RocksDBException e) {
      lost(path, e);
    }
  }

  private void table(Path path, Visitor visitor) throws IOException {
    try (var file = new TableFile(path)) {
      file.open();
      rows(file, path, file.table().orElseThrow(), visitor);
    } catch (RocksDBException e) {
      lost(path, e);
    }
  }

  private void lost(Path path, RocksDBException e) throws IOException {
    damaged.add(
        "%s cannot be opened, so all of its %d bytes are lost: %s"
            .formatted(path.getFileName(), Files.size(path), RocksErrors.message(e)));
  }

  private void open(TableFile file, Path path) throws RocksDBException, IOException {
    try {
      file.open();
    } catch (RocksDBException e) {
      file.close();
      if (!new BitRepair(path).repair(e)) {
        throw e;
      }
      damaged.add(
          "%s had one flipped bit, which was corrected: %s"
              .formatted(path.getFileName(), RocksErrors.message(e)));
      file.open();
    }
  }

  private void rows(TableFile file, Path path, Table table, Visitor visitor)
      throws RocksDBException {
    Optional<byte[]> start = Optional.of(BEGINNING);
    while (start.isPresent()) {
      try (RowIterator rows = file.rows()) {
        byte[] key = start.get();
        for (rows.seek(key, CorruptionSkipper.Direction.UP);
            rows.isValid();
            rows.step(CorruptionSkipper.Direction.UP)) {
          key = rows.key();
          visitor.row(table, key, rows.value());
        }
        Optional<RocksDBException> why = CorruptionSkipper.damage(rows);
        start = Optional.empty();
        if (why.isPresent()) {
          start = new CorruptionSkipper(file::rows, CorruptionSkipper.Direction.UP).behind(key);
          damaged.add(
              "%s: rows of %s behind %s up to %s cannot be read: %s"
                  .formatted(
                      path.getFileName(),
                      table.label(),
                      key.length == 0 ? "the beginning" : Keys.text(key),
                      start.map(Keys::text).orElse("the end"),
                      RocksErrors.message(why.get())));
        }
      }
    }
  }

  private void log(Path path, Visitor visitor) throws IOException {
    List<LogFile.Flaw> flaws =
        new LogFile(path, /* repairing= */ true)
            .read(payload -> {
              try {
                RocksBatch.visit(payload, new Known(visitor));
              } catch (BufferUnderflowException | IllegalArgumentException e) {
                damaged.add("%s: a record cannot be decoded: %s".formatted(path.getFileName(), e));
              }
            });
    for (LogFile.Flaw flaw : flaws) {
      damaged.add(
          flaw.bytes() == 0
              ? "%s at %d: %s".formatted(path.getFileName(), flaw.offset(), flaw.why())
              : "%s: %d bytes from %d on cannot be read: %s"
                  .formatted(path.getFileName(), flaw.bytes(), flaw.offset(), flaw.why()));
    }
  }

  /// Leaves out the rows of unknown tables.
  private final class Known implements RocksBatch.Visitor {

    private final Visitor visitor;

    Known(Visitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public void put(int number, byte[] key, byte[] value) {
      Table table = tables.get(number);
      if (table != null) {
        visitor.row(table, key, value);
      }
    }

    @Override
    public void delete(int number, byte[] key) {
      Table table = tables.get(number);
      if (table != null) {
        visitor.deletion(table, key);
      }
    }
  }
}
