package dev.agentmemory.engine.internal.folder;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folders of the workspaces, side by side in one folder. A workspace's name is its folder's;
/// what lies there and holds no store is no workspace. One that has a witness and no folder is a
/// workspace whose store was lost: it must not look as if it had never been.
///
/// @param witnesses holds the witnesses of the stores
public record WorkspaceFolders(Path folder, Path witnesses) {

  private static final int LEVELS = 4;

  public Path folder(WorkspaceName name) {
    return folder.resolve(name.value());
  }

  /// Those that there are, by name.
  public List<WorkspaceName> names() {
    return Stream.concat(list(folder).stream(), list(witnesses).stream())
        .filter(this::has)
        .distinct()
        .sorted()
        .toList();
  }

  private static List<WorkspaceName> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .flatMap(file -> WorkspaceName.of(file.getFileName().toString()).stream())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot list " + directory + "; check its permissions", e);
    }
  }

  /// Whether there is a store of that name, or was one.
  public boolean has(WorkspaceName name) {
    return Files.isDirectory(folder(name), LinkOption.NOFOLLOW_LINKS)
        ? RocksStore.isStore(folder(name))
        : !isOccupied(name) && Files.exists(witnesses.resolve(name.value()));
  }

  /// Whether anything lies in the place of that store.
  public boolean isOccupied(WorkspaceName name) {
    return Files.exists(folder(name), LinkOption.NOFOLLOW_LINKS);
  }

  public Optional<WorkspaceNote> note(WorkspaceName name) {
    return WorkspaceNote.read(folder(name));
  }

  /// Size of all files of a workspace. They may come and go meanwhile.
  public long diskBytes(WorkspaceName name) {
    try (Stream<Path> files = Files.walk(folder(name), LEVELS)) {
      return files.mapToLong(WorkspaceFolders::size).sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
