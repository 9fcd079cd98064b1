package dev.agentmemory.spi;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// What callers are told when Java's memory outside of the heap is used up: by what is received and
/// sent. It is no defect of the daemon, and the same call can succeed later.
public final class DirectMemoryShortage {

  private DirectMemoryShortage() {}

  /// The refusal for an error that means that direct memory is used up; empty for any other one,
  /// such as a heap that is used up.
  public static Optional<MemoryException> of(Throwable failure) {
    // Java: "Cannot reserve 1 bytes of direct buffer memory", Netty: "failed to allocate 1 byte(s)
    // of direct memory".
    return failure instanceof OutOfMemoryError
            && failure.getMessage() != null
            && failure.getMessage().contains(" of direct ")
        ? Optional.of(refusal())
        : Optional.empty();
  }

  /// The refusal of a call that needs direct memory.
  public static MemoryException refusal() {
    return new MemoryException(
        ErrorCode.QUEUE_FULL,
        "direct memory (-XX:MaxDirectMemorySize) leaves no room for this call; try again later,"
            + " with fewer large requests at a time");
  }
}
