package dev.agentmemory.cli.terminal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/// Exit codes, and the mapping of errors to them.
public final class ExitCodes {

  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int UNREACHABLE = 3;

  /// Only commands that read lines: some lines were refused; all others were sent and acknowledged.
  public static final int REFUSED = 4;

  private ExitCodes() {}

  public static int of(ErrorCode code) {
    return switch (code) {
      case INVALID_FIELD, INVALID_TOKEN -> USAGE;
      case UNREACHABLE -> UNREACHABLE;
      case UNAUTHENTICATED,
          FORBIDDEN,
          NOT_FOUND,
          EVENT_CONFLICT,
          CONFLICT,
          ILLEGAL_TRANSITION,
          QUOTA_EXCEEDED,
          QUEUE_FULL,
          DISK_FULL,
          CLOSED,
          NOT_OWNER,
          WORKSPACE_UNUSABLE,
          MODEL_UNAVAILABLE,
          STORAGE_FAILED,
          CORRUPT_RECORD,
          STORE_DAMAGED,
          UNSUPPORTED_FORMAT,
          INTERNAL ->
          FAILED;
    };
  }

  /// Prints an error as a sentence, never as a stack trace.
  ///
  /// @param daemonLog the daemon's log file; evaluated only for an unexpected error
  /// @return the exit code
  public static int tell(Throwable error, Terminal screen, Supplier<Path> daemonLog) {
    return switch (error) {
      case MemoryException e -> {
        screen.error(String.valueOf(e.getMessage()));
        yield of(e.code());
      }
      case IOException e -> {
        screen.error(FileErrors.sentence(e));
        yield FAILED;
      }
      case UncheckedIOException e -> {
        screen.error(FileErrors.sentence(e));
        yield FAILED;
      }
      case InterruptedException e -> {
        screen.error("interrupted before the command finished");
        yield FAILED;
      }
      default -> {
        screen.error(Defect.report(error, daemonLog));
        yield FAILED;
      }
    };
  }
}
