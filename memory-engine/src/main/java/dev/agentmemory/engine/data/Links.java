package dev.agentmemory.engine.data;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/// Refuses symbolic links where files of a data directory should be: what a link leads to is not
/// ours to write.
public final class Links {

  /// A store: its folder, the engine's folder in it, the files.
  private static final int LEVELS = 3;

  private Links() {}

  /// Refuses a link in place of a file or folder. What does not exist is none.
  ///
  /// @throws MemoryException `CONFLICT` naming the link
  public static void refuse(Path file) {
    if (Files.isSymbolicLink(file)) {
      throw refused(file);
    }
  }

  /// The same for a folder and everything in it, a few levels deep.
  ///
  /// @throws MemoryException `CONFLICT` naming the first link, `STORAGE_FAILED` when a folder
  ///   cannot be listed
  public static void refuseWithin(Path folder) {
    refuse(folder);
    if (!Files.isDirectory(folder)) {
      return;
    }
    try {
      Files.walkFileTree(
          folder,
          Set.of(),
          LEVELS,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isSymbolicLink()) {
                throw refused(file);
              }
              return FileVisitResult.CONTINUE;
            }

            // A file that another process removes while the folder is listed is no link.
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure)
                throws IOException {
              if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw failure;
            }
          });
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot list " + folder + "; check its permissions", e);
    }
  }

  private static MemoryException refused(Path file) {
    return new MemoryException(
        ErrorCode.CONFLICT,
        ("%s is a symbolic link%s, and links inside a data directory are not followed; replace it by"
                + " the file or directory itself")
            .formatted(file, target(file)));
  }

  private static String target(Path link) {
    try {
      return " to " + Files.readSymbolicLink(link);
    } catch (IOException e) {
      return "";
    }
  }
}
