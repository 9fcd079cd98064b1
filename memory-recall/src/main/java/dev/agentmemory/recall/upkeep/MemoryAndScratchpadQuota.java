package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.conversation.SessionQuota;
import dev.agentmemory.types.SessionId;
import java.util.function.ToLongFunction;

/// The quota of a session as its scratchpad sees it.
///
/// @param memories bytes of the memories of a session
public record MemoryAndScratchpadQuota(
    ByteQuota quota, SessionCompaction compaction, ToLongFunction<SessionId> memories)
    implements SessionQuota {

  @Override
  public void beforeWrite(SessionId session, long addedBytes) {
    compaction.beforeWrite(session, memories.applyAsLong(session), addedBytes);
  }

  @Override
  public void check(SessionId session, long addedBytes) {
    quota.check(session, memories.applyAsLong(session), addedBytes);
  }

  @Override
  public long limitBytes() {
    return quota.limit();
  }
}
