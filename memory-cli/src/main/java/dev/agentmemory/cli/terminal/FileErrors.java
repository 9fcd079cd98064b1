package dev.agentmemory.cli.terminal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// Messages for files that cannot be read or written.
public final class FileErrors {

  private FileErrors() {}

  /// One sentence that names the file if the error contains its name.
  static String sentence(UncheckedIOException error) {
    IOException cause = error.getCause();
    return cause == null ? "cannot read or write: " + error.getMessage() : sentence(cause);
  }

  /// One sentence that names the file if the error contains its name.
  static String sentence(IOException error) {
    return switch (error) {
      case NoSuchFileException e -> "there is no file " + e.getFile();
      case AccessDeniedException e ->
          e.getFile()
              + " is not accessible to this user; change its permissions, or give another path";
      case FileSystemException e -> "cannot use " + e.getFile() + ": " + reason(e.getReason(), e);
      default -> "cannot read or write: " + reason(error.getMessage(), error);
    };
  }

  /// A [MemoryException] with that sentence.
  public static MemoryException of(IOException error) {
    ErrorCode code =
        error instanceof NoSuchFileException ? ErrorCode.NOT_FOUND : ErrorCode.CONFLICT;
    return new MemoryException(code, sentence(error), error);
  }

  private static String reason(@Nullable String said, IOException error) {
    return said == null || said.isBlank() ? error.getClass().getSimpleName() : said;
  }
}
