package dev.agentmemory.daemon.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;

class MemoryPartsTest {

  private static final long MIB = 1 << 20;

  private static MemoryParts parts(long heap) {
    return new MemoryParts(heap, 96 * MIB, 64 * MIB, 0, 100 * MIB);
  }

  @Test
  void check_partsThatFit_isQuiet() {
    assertThatCode(() -> parts(340 * MIB).check(600 * MIB)).doesNotThrowAnyException();
  }

  @Test
  void check_partsAboveTheCeiling_namesSettingsAndTheHeapThatFits() {
    assertThatThrownBy(() -> parts(341 * MIB).check(600 * MIB))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("601 MiB together")
        .hasMessageContaining("memory.ceiling is 600 MiB")
        .hasMessageContaining("-Xmx340m");
  }

  @Test
  void check_heapBelowTheLeast_saysHowMuchIsNeeded() {
    assertThatThrownBy(() -> parts(MemoryParts.LEAST_HEAP - MIB).check(1L << 40))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("needs " + MemoryParts.LEAST_HEAP / MIB + " MiB")
        .hasMessageContaining("MEMORY_JAVA_OPTS");
  }
}
