package dev.agentmemory.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectMemoryShortageTest {

  /// As Java and Netty say it.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cannot reserve 2097152 bytes of direct buffer memory (allocated: 1, limit: 2)",
        "failed to allocate 2097152 byte(s) of direct memory (used: 1, max: 2)"
      })
  void shortage_ofDirectMemory_isARefusalForNow(String message) {
    assertThat(DirectMemoryShortage.of(new OutOfMemoryError(message)))
        .map(MemoryException::code)
        .hasValue(ErrorCode.QUEUE_FULL);
  }

  @Test
  void shortage_ofTheHeap_isADefect() {
    assertThat(DirectMemoryShortage.of(new OutOfMemoryError("Java heap space"))).isEmpty();
    assertThat(DirectMemoryShortage.of(new OutOfMemoryError())).isEmpty();
  }

  @Test
  void shortage_anotherErrorThatSpeaksOfDirectMemory_isADefect() {
    assertThat(DirectMemoryShortage.of(new IllegalStateException("bytes of direct memory")))
        .isEmpty();
  }
}
