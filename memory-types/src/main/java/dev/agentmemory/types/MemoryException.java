package dev.agentmemory.types;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The only exception that crosses a module's boundary. Its message says what was expected, what
/// was found and what to do, and is fit to be shown to a user.
public final class MemoryException extends RuntimeException {

  private final ErrorCode code;
  private final @Nullable String field;

  public MemoryException(ErrorCode code, String message) {
    this(code, message, null, null);
  }

  public MemoryException(ErrorCode code, String message, Throwable cause) {
    this(code, message, null, cause);
  }

  private MemoryException(
      ErrorCode code, String message, @Nullable String field, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.field = field;
  }

  /// A refused field of a request.
  ///
  /// @param field the field's path as the caller spells it, for example `event.event_id`
  /// @param message what is wrong with it and what would be right, without the field's name
  public static MemoryException invalid(String field, String message) {
    return new MemoryException(
        ErrorCode.INVALID_FIELD, field + ": " + message, field, /* cause= */ null);
  }

  /// Throws this again unless it has that code.
  public void rethrowUnless(ErrorCode expected) {
    if (code != expected) {
      throw this;
    }
  }

  /// Waits for a result.
  ///
  /// @throws MemoryException when it failed with one
  /// @throws CompletionException when it failed with another exception
  public static <T> T join(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof MemoryException own ? own : e;
    }
  }

  public ErrorCode code() {
    return code;
  }

  /// The path of the refused field, when a single field is to blame.
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }
}
