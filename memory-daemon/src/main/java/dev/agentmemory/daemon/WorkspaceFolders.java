package dev.agentmemory.daemon;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folders of the workspaces, side by side in one folder. A workspace's name is its folder's.
record WorkspaceFolders(Path folder) {

  private static final int LEVELS = 4;

  Path folder(WorkspaceName name) {
    return folder.resolve(name.value());
  }

  /// Those that there are, by name.
  List<WorkspaceName> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(Files::isDirectory)
          .flatMap(file -> WorkspaceName.of(file.getFileName().toString()).stream())
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot list " + folder + "; check the rights on it", e);
    }
  }

  boolean has(WorkspaceName name) {
    return Files.isDirectory(folder(name));
  }

  Optional<WorkspaceNote> note(WorkspaceName name) {
    return WorkspaceNote.read(folder(name));
  }

  /// Size of all files of a workspace. They may come and go meanwhile.
  long diskBytes(WorkspaceName name) {
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
