package dev.agentmemory.engine.data;

import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// With which epoch this data directory has indexed each store that daemons share. An index that
/// was made before another daemon owned the store lacks what was written since, and may still have
/// what was forgotten.
///
/// @param indexes the folder of the indexes
public record IndexEpochs(Path indexes) {

  /// No store is called that.
  private static final String FOLDER = "@epochs";

  private static final Logger LOG = LoggerFactory.getLogger(IndexEpochs.class);
  private static final int MOST_BYTES = 64;

  /// Deletes the index of a store if another daemon has owned the store since. To be called before
  /// the index is used.
  ///
  /// @param name of the folder of the index
  /// @param epoch with which the store is owned now
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the disk refuses
  public void begin(String name, long epoch) {
    Path index = indexes.resolve(name);
    Path file = indexes.resolve(FOLDER).resolve(name);
    try {
      OptionalLong last = last(file);
      if (Files.exists(index) && (last.isEmpty() || last.getAsLong() != epoch - 1)) {
        LOG.info("another daemon had the store {}; its index is made anew", name);
        StoreDirectory.delete(index);
      }
      Files.createDirectories(indexes.resolve(FOLDER));
      DurableFile.write(file, epoch + "\n");
    } catch (IOException e) {
      throw OwnDirectory.unusable(indexes, e);
    }
  }

  /// Empty as well when the file is damaged.
  private static OptionalLong last(Path file) throws IOException {
    try {
      return OptionalLong.of(
          Long.parseLong(
              new String(DurableFile.read(file, MOST_BYTES), StandardCharsets.US_ASCII).strip()));
    } catch (NoSuchFileException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
