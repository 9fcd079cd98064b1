package dev.agentmemory.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryPartsTest {

  private static final long MIB = 1 << 20;

  private static MemoryParts parts(long heap) {
    return new MemoryParts(heap, 96 * MIB, 64 * MIB, 0, 100 * MIB);
  }

  @Test
  void check_partsThatFit_isQuiet() {
    assertThatCode(() -> parts(340 * MIB).check(Optional.of(600 * MIB))).doesNotThrowAnyException();
  }

  @Test
  void check_partsAboveTheCeiling_namesSettingsAndTheHeapThatFits() {
    assertThatThrownBy(() -> parts(341 * MIB).check(Optional.of(600 * MIB)))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("601 MiB together")
        .hasMessageContaining("memory.ceiling is 600 MiB")
        .hasMessageContaining("-Xmx340m");
  }

  @Test
  void ceiling_thatIsNotSet_isTheDefaultOrWhatThePartsMayTake() {
    MemoryParts small = parts(340 * MIB);
    MemoryParts large = parts(341 * MIB);

    assertThat(small.ceiling(Optional.empty())).isEqualTo(600 * MIB);
    assertThat(large.ceiling(Optional.empty())).isEqualTo(601 * MIB);
    assertThat(new MemoryParts(100 * MIB, 0, 0, MIB, 0).ceiling(Optional.empty()))
        .isEqualTo(1024 * MIB);
    assertThat(large.ceiling(Optional.of(MIB))).isEqualTo(MIB);
    assertThatCode(() -> large.check(Optional.empty())).doesNotThrowAnyException();
  }

  @Test
  void check_heapBelowTheLeast_saysHowMuchIsNeeded() {
    assertThatThrownBy(() -> parts(MemoryParts.LEAST_HEAP - MIB).check(Optional.of(1L << 40)))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("needs " + MemoryParts.LEAST_HEAP / MIB + " MiB")
        .hasMessageContaining("MEMORY_JAVA_OPTS");
  }
}
