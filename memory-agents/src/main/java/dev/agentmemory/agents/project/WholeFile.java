package dev.agentmemory.agents.project;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;

/// Replaces files as a whole. The new content is written to a draft beside the file, which is
/// renamed then, so a reader finds the old file or the new one. Each draft has a name of its own:
/// two programs can write the same file at once, and nobody can prepare a link in its place.
public final class WholeFile {

  /// Readable and writable for the owner only.
  public static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rw-------");

  /// The writer of an older draft was killed.
  private static final Duration LEFT_OVER = Duration.ofHours(1);

  private WholeFile() {}

  /// Replaces a file, and creates it where there is none. The permissions are [#OWN].
  public static void replace(Path file, byte[] content) throws IOException {
    replace(file, content, OWN);
  }

  /// @param permissions of the file, where the file system has them
  public static void replace(Path file, byte[] content, Set<PosixFilePermission> permissions)
      throws IOException {
    Path draft = draft(file);
    try {
      Files.write(draft, content);
      if (draft.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(draft, permissions);
      }
      move(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /// Replaces a link, and creates it where there is none.
  public static void replaceLink(Path link, Path target) throws IOException {
    Path draft = draft(link);
    try {
      Files.delete(draft);
      Files.createSymbolicLink(draft, target);
      move(draft, link);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void move(Path draft, Path file) throws IOException {
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path draft(Path file) throws IOException {
    return Files.createTempFile(folder(file), prefix(file), ".tmp");
  }

  private static Path folder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file.toAbsolutePath() : folder;
  }

  private static String prefix(Path file) {
    return "." + file.getFileName() + ".memory";
  }

  /// Replaces a file, and deletes the drafts of it whose writers were killed. For files that are
  /// seldom written, in folders of others.
  public static void replaceTidily(Path file, byte[] content, Set<PosixFilePermission> permissions)
      throws IOException {
    replace(file, content, permissions);
    FileTime now = Files.getLastModifiedTime(file);
    try (DirectoryStream<Path> beside =
        Files.newDirectoryStream(
            folder(file),
            one -> {
              String name = String.valueOf(one.getFileName());
              return name.startsWith(prefix(file)) && name.endsWith(".tmp");
            })) {
      for (Path draft : beside) {
        deleteIfOld(draft, now);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void deleteIfOld(Path draft, FileTime now) throws IOException {
    try {
      FileTime written = Files.getLastModifiedTime(draft, LinkOption.NOFOLLOW_LINKS);
      if (written.toInstant().isBefore(now.toInstant().minus(LEFT_OVER))) {
        Files.deleteIfExists(draft);
      }
    } catch (NoSuchFileException e) {
      // Its writer has just renamed it.
    }
  }
}
