package dev.agentmemory.rocksdb.backup;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The exceptions for files of a backup that cannot be read or written. The caller that named the
/// directory can correct the cause, so they are not failures of the store.
final class BackupFailures {

  private BackupFailures() {}

  static MemoryException writing(Path file, IOException cause) {
    if (cause instanceof ClosedByInterruptException) {
      return new MemoryException(
          ErrorCode.CLOSED, "the backup was interrupted; its partial files were deleted");
    }
    if (isFull(cause.getMessage())) {
      return new MemoryException(
          ErrorCode.DISK_FULL,
          ("the disk of %s is full; the partial backup was deleted. Free some disk"
                  + " space, or choose another directory")
              .formatted(file),
          cause);
    }
    String remedy =
        cause instanceof AccessDeniedException
            ? "give the daemon's user write permission, or choose another directory"
            : "check the disk and its permissions, or choose another directory";
    return new MemoryException(
        ErrorCode.CONFLICT, "cannot write %s (%s); %s".formatted(file, what(cause), remedy), cause);
  }

  static MemoryException reading(Path file, IOException cause) {
    return new MemoryException(
        ErrorCode.CONFLICT,
        "cannot read %s (%s); check the disk and its permissions".formatted(file, what(cause)),
        cause);
  }

  /// The message of a file system's exception is often only the name of the file.
  static String what(IOException cause) {
    return switch (cause) {
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "there is a file of that name";
      case NotDirectoryException _ -> "it is not a directory";
      case NoSuchFileException _ -> "it does not exist";
      default -> String.valueOf(cause.getMessage());
    };
  }

  private static boolean isFull(@Nullable String message) {
    return message != null
        && (message.toLowerCase(Locale.ROOT).contains("no space left")
            || message.toLowerCase(Locale.ROOT).contains("quota exceeded"));
  }
}
