package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;

class FileLimitTest {

  @Test
  void limit_belowWhatIsNeeded_isRefusedWithBothFigures() {
    assertThatThrownBy(new FileLimit(FileLimit.LEAST - 1)::check)
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("may open 319 files, and the daemon needs 320; raise the limit")
        .hasMessageNotContaining("\n");
    new FileLimit(FileLimit.LEAST).check();
    new FileLimit(-1).check();
  }

  @Test
  void connections_takeAtMostAQuarterOfWhatIsNotReserved() {
    assertThat(new FileLimit(320).connections(256)).isEqualTo(16);
    assertThat(new FileLimit(1024).connections(256)).isEqualTo(192);
    assertThat(new FileLimit(1024).connections(128)).isEqualTo(128);
    assertThat(new FileLimit(1 << 20).connections(256)).isEqualTo(256);
    assertThat(new FileLimit(-1).connections(256)).isEqualTo(256);
    assertThat(new FileLimit(Long.MAX_VALUE).connections(256)).isEqualTo(256);
  }

  @Test
  void limit_ofThisProcess_isKnown() {
    assertThat(FileLimit.ofProcess().files()).isBetween(64L, 1L << 40);
  }
}
