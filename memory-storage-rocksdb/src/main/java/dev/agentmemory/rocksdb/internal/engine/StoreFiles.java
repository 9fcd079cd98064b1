package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.read.CorruptionReport;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/// The files of an open store. They are read without the engine, so this neither blocks other reads
/// nor fills the block cache.
public record StoreFiles(Path tables, Database engine, Guard guard, CorruptionReport damage)
    implements FileReader {

  private static final String LOG = "log";

  @Override
  public List<StoreFile> files() {
    List<StoreFile> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(tables)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (FileCheck.holdsRows(name)) {
          look(file, name).ifPresent(found::add);
        }
      }
      return List.copyOf(found);
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot list " + tables, e);
    }
  }

  /// The engine may delete a file at any time.
  private static Optional<StoreFile> look(Path file, String name) throws IOException {
    try {
      return Optional.of(
          new StoreFile(name, Files.size(file), Files.getLastModifiedTime(file).toInstant()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<DamagedRange> check(StoreFile file, IntConsumer read) {
    Optional<String> problem = FileCheck.rows(tables, file.name(), read);
    if (problem.isEmpty()) {
      return Optional.empty();
    }
    Optional<DamagedRange> found =
        table(file.name()).map(table -> DamagedRange.row(table, file.name(), problem.get()));
    found.ifPresent(damage::found);
    return found;
  }

  /// @return empty when the file is no longer part of the store
  private Optional<String> table(String name) {
    if (!FileCheck.isTable(name)) {
      return Optional.of(LOG);
    }
    try (var _ = guard.enter()) {
      return engine.db().getLiveFilesMetaData().stream()
          .filter(file -> file.fileName().equals("/" + name))
          .map(file -> new String(file.columnFamilyName(), StandardCharsets.UTF_8))
          .findFirst();
    }
  }
}
