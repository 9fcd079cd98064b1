package dev.agentmemory.recall;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.function.ToLongFunction;

/// The quota of `recall.session_quota`.
///
/// @param limit in bytes
/// @param scratchpad bytes of the scratchpad of a session
public record ByteQuota(long limit, ToLongFunction<SessionId> scratchpad) implements SessionBudget {

  @Override
  public void check(SessionId session, long memoryBytes, long added) {
    long used = memoryBytes + scratchpad.applyAsLong(session);
    if (used + added > limit) {
      throw new MemoryException(
          ErrorCode.QUOTA_EXCEEDED,
          ("session %s uses %d of %d bytes (recall.session_quota), and the entry has %d; delete"
                  + " memories or scratchpad entries of the session, or compact it")
              .formatted(session, used, limit, added));
    }
  }
}
