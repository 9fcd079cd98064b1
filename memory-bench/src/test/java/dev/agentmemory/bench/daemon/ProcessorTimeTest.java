package dev.agentmemory.bench.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcessorTimeTest {

  @Test
  void endedChildrenMicros_nameWithBracketsAndSpaces_areUserAndSystemTicks() {
    String stat = "77 (a) b (c) S 1 77 77 0 -1 4194304 100 200 0 0 15 16 170 30 20 0 9 0 5 6 7\n";

    assertThat(ProcessorTime.endedChildrenMicros(stat)).isEqualTo(2_000_000);
  }
}
