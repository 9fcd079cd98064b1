package dev.agentmemory.rocksdb.folder;

import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes what a workspace has on disk. The store is renamed first, in one step, to a name that no
/// workspace can have: from then on the workspace does not exist, whatever happens. Its witness,
/// its index and the renamed folder follow. What a crash leaves of them is deleted by [#finish].
///
/// Symbolic links are deleted and not followed.
///
/// @param db holds the stores
/// @param index holds the search indexes
/// @param witness holds the witnesses of the stores
record StoreRemoval(Path db, Path index, Path witness) {

  private static final Logger LOG = LoggerFactory.getLogger(StoreRemoval.class);
  private static final String DELETED = "@deleted-";

  /// Deletes a workspace whose store is closed, or was lost.
  ///
  /// @throws MemoryException `STORAGE_FAILED` when something cannot be deleted; once the store is
  ///   renamed, the next start deletes the rest
  void remove(WorkspaceName name) {
    Path store = db.resolve(name.value());
    Path deleted = db.resolve(DELETED + name);
    try {
      StoreDirectory.delete(deleted);
      if (Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(store, deleted, StandardCopyOption.ATOMIC_MOVE);
        DurableFile.syncDirectory(db);
      }
      removeRest(name, deleted);
    } catch (IOException | MemoryException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "workspace %s cannot be deleted (%s); check the permissions of %s"
              .formatted(name, e.getMessage(), db),
          e);
    }
  }

  /// Deletes what an earlier process did not come to. To be called before any store is opened. What
  /// cannot be deleted stays and is logged.
  void finish() {
    for (Path deleted : leftovers()) {
      try {
        String name = deleted.getFileName().toString().substring(DELETED.length());
        if (Files.exists(db.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
          // It was created again; witness and index are those of the new one.
          StoreDirectory.delete(deleted);
        } else {
          removeRest(new WorkspaceName(name), deleted);
        }
        LOG.info("deleted the remaining files of the deleted workspace {}", name);
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} belongs to a deleted workspace and cannot be deleted", deleted, e);
      }
    }
  }

  /// Whether a folder beside the stores is what is left of a deleted one.
  static boolean isLeftover(Path folder) {
    return String.valueOf(folder.getFileName()).startsWith(DELETED);
  }

  private List<Path> leftovers() {
    try (Stream<Path> files = Files.list(db)) {
      return files.filter(StoreRemoval::isLeftover).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      LOG.warn("{} cannot be listed", db, e);
      return List.of();
    }
  }

  private void removeRest(WorkspaceName name, Path deleted) throws IOException {
    StoreDirectory.delete(witness.resolve(name.value()));
    if (Files.isDirectory(witness)) {
      DurableFile.syncDirectory(witness);
    }
    StoreDirectory.delete(index.resolve(name.value()));
    StoreDirectory.delete(deleted);
  }
}
