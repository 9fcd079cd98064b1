package dev.agentmemory.postgres.internal;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;

/// An open store in a database: the database watches its space, so nothing has to be done here
/// until a write fails.
public record PgUpkeep(PgRows rows) implements StoreUpkeep {

  @Override
  public MemoryException full(Throwable cause) {
    return new MemoryException(
        ErrorCode.DISK_FULL,
        "the disk of the database is full; free some space on it, after which events are accepted"
            + " again without a restart",
        cause);
  }

  @Override
  public void reopen(Failure failure, Counters acknowledged) {
    rows.resume();
  }

  @Override
  public void close(Counters acknowledged) {
    rows.close();
  }
}
