package dev.agentmemory.daemon.cli;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;

/// Exit codes, and the one place that gives them to errors.
final class Exits {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int UNREACHABLE = 3;

  private Exits() {}

  static int of(ErrorCode code) {
    return switch (code) {
      case INVALID_FIELD, INVALID_TOKEN -> USAGE;
      case UNREACHABLE -> UNREACHABLE;
      case UNAUTHENTICATED,
          NOT_FOUND,
          EVENT_CONFLICT,
          CONFLICT,
          QUEUE_FULL,
          DISK_FULL,
          CLOSED,
          WORKSPACE_UNUSABLE,
          MODEL_UNAVAILABLE,
          STORAGE_FAILED,
          CORRUPT_RECORD,
          UNSUPPORTED_FORMAT,
          INTERNAL ->
          FAILED;
    };
  }

  /// Tells the error in words, never as a stack trace.
  static int tell(Throwable error, Screen screen) {
    if (error instanceof MemoryException e) {
      screen.error(String.valueOf(e.getMessage()));
      return of(e.code());
    }
    if (error instanceof InterruptedException) {
      screen.error("interrupted");
      return FAILED;
    }
    String message = error.getMessage();
    screen.error(error.getClass().getSimpleName() + (message == null ? "" : ": " + message));
    return FAILED;
  }
}
