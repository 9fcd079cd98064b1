package dev.agentmemory.storage.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32C;

/// Small files that are replaced atomically and survive a power failure. Symbolic links are not
/// followed, neither for reading nor for writing.
public final class DurableFile {

  /// Suffix of an incomplete file. A crash can leave one; the next write of the same file replaces
  /// it.
  public static final String DRAFT = ".new";

  private DurableFile() {}

  /// Replaces a file, or creates it, readable by its owner only. A reader sees either the old
  /// content or all of the new content. The content and the directory's entry are synced when this
  /// returns.
  public static void write(Path file, byte[] content) throws IOException {
    replace(file, draft(file), content);
  }

  /// The same for text.
  public static void write(Path file, String content) throws IOException {
    write(file, content.getBytes(StandardCharsets.UTF_8));
  }

  /// The same where several processes or threads may write the file at once: each has a draft of
  /// its own, and the last one to finish wins. A crash can leave a draft that no later write
  /// replaces.
  public static void writeShared(Path file, String content) throws IOException {
    String writer = ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId();
    Path draft = file.resolveSibling(file.getFileName() + "." + writer + DRAFT);
    replace(file, draft, content.getBytes(StandardCharsets.UTF_8));
  }

  private static void replace(Path file, Path draft, byte[] content) throws IOException {
    Files.deleteIfExists(draft);
    Set<OpenOption> asNew =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(draft, asNew, ownerOnly(file))) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory(parent(file));
  }

  /// The file that [#write] fills before it replaces the other one.
  public static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + DRAFT);
  }

  /// The content of a file.
  ///
  /// @param most bytes that it may have
  /// @throws IOException also when the file is a symbolic link or has more bytes
  public static byte[] read(Path file, int most) throws IOException {
    Set<OpenOption> asIs = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, asIs)) {
      long size = channel.size();
      if (size > most) {
        throw new FileSystemException(
            file.toString(), null, "has %,d bytes; the maximum is %,d".formatted(size, most));
      }
      ByteBuffer content = ByteBuffer.allocate((int) size);
      while (content.hasRemaining()) {
        if (channel.read(content) < 0) {
          throw new EOFException(file + " was shortened while it was read");
        }
      }
      return content.array();
    }
  }

  /// The CRC-32C of a text in UTF-8 as 8 hexadecimal digits. Small files carry it so that damage to
  /// them is detected.
  public static String checksum(String text) {
    var sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  /// Makes the entries of a directory durable: files that were created, renamed or deleted in it.
  public static void syncDirectory(Path directory) throws IOException {
    sync(directory);
  }

  /// Makes the content of a file durable, also when other code wrote it.
  public static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path parent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new FileSystemException(file.toString(), null, "is not a file in a directory");
    }
    return parent;
  }

  /// The permissions with which a file is created that only its owner may use.
  public static FileAttribute<?>[] ownerOnly(Path file) {
    return permissions(file, "rw-------");
  }

  private static FileAttribute<?>[] permissions(Path file, String permissions) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /// Creates a directory that only its owner may use, unless it exists. Its entry in the parent
  /// directory is synced when this returns.
  public static void createDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(directory, permissions(directory, "rwx------"));
    if (parent != null) {
      syncDirectory(parent);
    }
  }
}
