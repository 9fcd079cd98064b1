package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.storage.rows.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;

/// Damages the files of a store.
public final class TableFiles {

  /// Well inside the first block.
  private static final int OFFSET = 20;

  private static final int STEP = 40;

  private TableFiles() {}

  /// Damages the first block of every file of a table.
  public static void damageFirstBlock(Path tables, Table table) {
    files(tables, table).forEach(TableFiles::flip);
  }

  /// The files of a table, at least one, the largest first.
  public static List<Path> files(Path tables, Table table) {
    List<Path> files;
    try (Database engine = Database.open(tables, StorageConfig.DEFAULT)) {
      files =
          engine.db().getLiveFilesMetaData().stream()
              .filter(file ->
                  new String(file.columnFamilyName(), StandardCharsets.UTF_8).equals(table.label()))
              .sorted(Comparator.comparingLong(LiveFileMetaData::size).reversed())
              .map(file -> tables.resolve(file.fileName().substring(1)))
              .toList();
    }
    if (files.isEmpty()) {
      throw new AssertionError("no files of " + table);
    }
    return files;
  }

  /// Damages a block of one file.
  ///
  /// @param type of the block in the engine's words, such as `Data` or `Index`
  public static void damageBlock(Path file, String type) {
    int size = size(file);
    for (int at = size - STEP; at > 0; at -= STEP) {
      flipBit(file, at);
      if (fault(file).contains("(" + type + ")")) {
        return;
      }
      flipBit(file, at);
    }
    throw new AssertionError("no block of type " + type + " in " + file);
  }

  /// What the engine says about a file; empty when it is whole.
  static String fault(Path path) {
    try (var file = new TableFile(path)) {
      file.open();
      file.verify();
      return "";
    } catch (RocksDBException e) {
      return RocksErrors.message(e);
    }
  }

  static void flipBit(Path path, int at) {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(at);
      int old = file.read();
      file.seek(at);
      file.write(old ^ 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int size(Path path) {
    try {
      return Math.toIntExact(Files.size(path));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void flip(Path path) {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      byte[] bytes = new byte[8];
      file.seek(OFFSET);
      file.readFully(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] ^= 0x55;
      }
      file.seek(OFFSET);
      file.write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
