package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.FileCheck;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.WALRecoveryMode;

/// The files of a store while no process writes them: those of a checkpoint or of a closed store.
public final class StoreDirectory {

  private StoreDirectory() {}

  /// Contents of a store as read from its files.
  ///
  /// @param format the newest format that its rows may have
  /// @param outboxHead the highest outbox sequence that was assigned; 0 when none
  public record StoreContents(int format, long events, long outboxHead) {}

  /// The engine's folder in the directory of a store.
  public static Path tables(Path directory) {
    return directory.resolve(StoreHome.TABLES);
  }

  /// Checks the files of a store one by one, without opening it: it takes no lock, changes nothing,
  /// and works beside a daemon that has the store open.
  ///
  /// @return a finding for each damaged file, with the kind of the file as its table and the name
  ///   as its key; empty when all files are sound
  public static List<Finding> check(Path directory) {
    return FileCheck.run(tables(directory));
  }

  /// The files that belong to a database or an index, by name, without the engine's lock and the
  /// engine's own log.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when the folder cannot be listed
  public static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> isPart(String.valueOf(file.getFileName())))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot list " + folder + "; check its permissions", e);
    }
  }

  private static boolean isPart(String name) {
    return !name.equals("LOCK") && !name.equals("LOG") && !name.startsWith("LOG.old");
  }

  /// Opens the files for reading, including the write-ahead log, and reads the store's header and
  /// counters. A log with an incomplete last record is read as [RocksStore#open] reads it.
  ///
  /// @param directory of the store
  /// @throws MemoryException `CORRUPT_RECORD` or `STORAGE_FAILED` when they cannot be opened,
  ///   `UNSUPPORTED_FORMAT` when another program or a newer version wrote them
  public static StoreContents contents(Path directory) {
    Path tables = tables(directory);
    try {
      return read(tables);
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while opening " + tables + " for reading", e);
    }
  }

  /// Like [#contents], for an engine's folder. Throws the engine's own exception when it cannot be
  /// opened.
  static StoreContents read(Path tables) throws RocksDBException {
    RocksDB.loadLibrary();
    try {
      return read(tables, WALRecoveryMode.TolerateCorruptedTailRecords);
    } catch (RocksDBException e) {
      if (!Database.lacksTheEndOfItsLogOnly(tables, e)) {
        throw e;
      }
      return read(tables, WALRecoveryMode.PointInTimeRecovery);
    }
  }

  private static StoreContents read(Path tables, WALRecoveryMode recovery) throws RocksDBException {
    var handles = new ArrayList<ColumnFamilyHandle>();
    try (var silence = new Silence();
        var options = reading(silence, recovery);
        var plain = new Options()) {
      List<ColumnFamilyDescriptor> families =
          RocksDB.listColumnFamilies(plain, tables.toString()).stream()
              .map(ColumnFamilyDescriptor::new)
              .toList();
      try (RocksDB db = RocksDB.openReadOnly(options, tables.toString(), families, handles)) {
        try {
          return contents(db, handles, tables);
        } finally {
          handles.forEach(ColumnFamilyHandle::close);
        }
      } finally {
        families.forEach(table -> table.getOptions().close());
      }
    }
  }

  private static StoreContents contents(RocksDB db, List<ColumnFamilyHandle> handles, Path tables)
      throws RocksDBException {
    Optional<ColumnFamilyHandle> meta = handle(handles, Table.META);
    byte @Nullable [] header = meta.isPresent() ? db.get(meta.get(), Keys.STORE) : null;
    if (header == null) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT, tables + " does not contain a store of agent-memory");
    }
    byte @Nullable [] row = db.get(meta.get(), Keys.COUNTERS);
    Counters counters = row == null ? Counters.NONE : Counters.decode(row);
    return new StoreContents(
        StoreHeader.decode(header).schemaVersion(), counters.events(), counters.outboxHead());
  }

  private static Optional<ColumnFamilyHandle> handle(List<ColumnFamilyHandle> handles, Table table)
      throws RocksDBException {
    for (ColumnFamilyHandle handle : handles) {
      if (Arrays.equals(handle.getName(), Database.name(table))) {
        return Optional.of(handle);
      }
    }
    return Optional.empty();
  }

  /// Prevents the engine from writing its own log beside the files.
  private static final class Silence extends Logger {

    Silence() {
      super(InfoLogLevel.FATAL_LEVEL);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {
      // The engine throws its errors as well.
    }
  }

  private static DBOptions reading(Silence silence, WALRecoveryMode recovery) {
    return new DBOptions().setLogger(silence).setWalRecoveryMode(recovery).setMaxOpenFiles(64);
  }

  /// Reads every block of a table file and compares its checksum.
  ///
  /// @return what is wrong; empty when nothing is
  public static Optional<String> damage(Path table) {
    RocksDB.loadLibrary();
    try (var options = new Options();
        var reader = new SstFileReader(options)) {
      reader.open(table.toString());
      reader.verifyChecksum();
      return Optional.empty();
    } catch (RocksDBException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// Deletes a folder and everything below it. Symbolic links are deleted, not followed.
  ///
  /// @throws MemoryException `STORAGE_FAILED`
  public static void delete(Path folder) {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(folder, new DeletingVisitor());
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot delete " + folder + "; check its permissions", e);
    }
  }

  private static final class DeletingVisitor extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
