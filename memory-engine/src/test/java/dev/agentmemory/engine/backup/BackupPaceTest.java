package dev.agentmemory.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// A clock that goes on only while copying pauses.
class BackupPaceTest {

  private static final long MIB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong(77);

  private BackupPace pace(long bytesPerSecond) {
    return new BackupPace(
        nanos::get, rest -> nanos.addAndGet(rest.toNanos()), bytesPerSecond, BackupProgress.NONE);
  }

  @Test
  void copying_restsUntilTheRateIsKept() {
    BackupPace pace = pace(2 * MIB);
    for (int chunk = 0; chunk <= 10; chunk++) {
      pace.at(chunk * MIB, 10 * MIB);
    }
    assertThat(Duration.ofNanos(nanos.get() - 77)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void copyingThatIsSlowerByItself_doesNotPause() {
    BackupPace pace = pace(2 * MIB);
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    pace.at(10 * MIB, 10 * MIB);
    assertThat(Duration.ofNanos(nanos.get() - 77)).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void interrupted_ends() {
    BackupPace pace = pace(2 * MIB);
    Thread.currentThread().interrupt();
    try {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> pace.at(0, MIB))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
