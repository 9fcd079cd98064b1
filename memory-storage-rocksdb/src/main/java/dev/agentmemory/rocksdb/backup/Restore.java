package dev.agentmemory.rocksdb.backup;

import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/// Writes the files of a backup to the place of a store. Every byte is compared while it is copied.
/// The store gets the next generation, so the witness of the earlier one does not apply to it.
public final class Restore {

  private Restore() {}

  /// @param store the directory of the store; must not exist
  /// @param index the folder of the search index; used when the backup contains one
  /// @throws MemoryException `CORRUPT_RECORD` naming the file that has changed since the backup was
  ///   made, `DISK_FULL`, `STORAGE_FAILED`; the caller deletes what was written so far
  public static void restore(
      WorkspaceBackups backups,
      BackupManifest manifest,
      Path store,
      Path index,
      BackupProgress progress) {
    Path tables = StoreDirectory.tables(store);
    var tally = new Tally(progress, manifest.bytes());
    try {
      Durable.folder(store);
      Durable.folder(tables);
      if (manifest.withIndex()) {
        Durable.folder(index);
      }
      for (BackupFile file : manifest.files()) {
        Path folder = file.isIndex() ? index : file.isTables() ? tables : store;
        copy(backups, file, folder.resolve(file.name()), tally);
      }
      Optional<StoreMarker> marker = StoreMarker.of(store);
      if (marker.isPresent()) {
        marker.get().nextGeneration().write(store);
      }
      for (Path folder :
          manifest.withIndex() ? List.of(tables, store, index) : List.of(tables, store)) {
        DurableFile.syncDirectory(folder);
      }
    } catch (IOException e) {
      throw BackupFailures.writing(store, e);
    }
  }

  private static void copy(WorkspaceBackups backups, BackupFile file, Path target, Tally tally)
      throws IOException {
    Path content = backups.file(file);
    if (!Files.isRegularFile(content, LinkOption.NOFOLLOW_LINKS)) {
      throw damaged(content, file, "is missing");
    }
    try {
      if (!backups.copy(file, target, tally::add).equals(file.sha256())) {
        throw damaged(content, file, "has changed since the backup was made");
      }
    } catch (AEADBadTagException e) {
      throw damaged(content, file, "cannot be trusted (%s)".formatted(e.getMessage()));
    }
  }

  private static MemoryException damaged(Path content, BackupFile file, String what) {
    return new MemoryException(
        ErrorCode.CORRUPT_RECORD,
        "%s, which contains %s, %s, so nothing was restored; choose another backup with --id"
            .formatted(content, file.path(), what));
  }
}
