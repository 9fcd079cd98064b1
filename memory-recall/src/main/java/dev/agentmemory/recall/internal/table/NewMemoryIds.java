package dev.agentmemory.recall.internal.table;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// Chooses ids of new memories. Those of one millisecond, in a row, ascend.
public final class NewMemoryIds {

  private static final int RANDOM_BYTES = 10;

  private final RandomGenerator random;
  private final Mutex lock = new Mutex();
  private Ulid last = Ulid.MIN;

  public NewMemoryIds(RandomGenerator random) {
    this.random = random;
  }

  /// @param time 1970 or later
  public MemoryId next(Instant time) {
    try (var _ = lock.hold()) {
      long millis = time.toEpochMilli();
      last = last.getTime() == millis ? last.increment() : drawn(millis);
      return MemoryId.of(last.toString());
    }
  }

  private Ulid drawn(long millis) {
    byte[] tail = new byte[RANDOM_BYTES];
    random.nextBytes(tail);
    return new Ulid(millis, tail);
  }
}
