package dev.agentmemory.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.LiveFileMetaData;

/// Flips bytes in the files of a closed store.
final class TableFiles {

  /// Well inside the first block.
  private static final int OFFSET = 20;

  private TableFiles() {}

  /// Damages the first block of every file of a table.
  static void damageFirstBlock(Path tables, Family family) {
    List<String> names;
    try (Engine engine = Engine.open(tables, StorageConfig.DEFAULT)) {
      names =
          engine.db().getLiveFilesMetaData().stream()
              .filter(file ->
                  new String(file.columnFamilyName(), StandardCharsets.UTF_8)
                      .equals(family.table()))
              .map(LiveFileMetaData::fileName)
              .toList();
    }
    if (names.isEmpty()) {
      throw new AssertionError("no files of " + family);
    }
    names.forEach(name -> flip(tables.resolve(name.substring(1))));
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
