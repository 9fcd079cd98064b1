package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryKeysTest {

  @ParameterizedTest
  @ValueSource(strings = {"run_rows:", "run_rows:@team/"})
  void partsOfRuns_whichHaveMegabytes_areReadOneByOne(String prefix) {
    assertThat(MemoryKeys.page(prefix)).isOne();
  }

  @Test
  void otherRows_areReadTogether() {
    assertThat(MemoryKeys.page("history:")).isGreaterThan(1);
    assertThat(MemoryKeys.page("run_ids:")).isGreaterThan(1);
  }
}
