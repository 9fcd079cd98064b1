package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DistinctQueueTest {

  private final DistinctQueue<String> queue = new DistinctQueue<>(2);

  @Test
  void elementThatIsOfferedAgain_waitsOnce() {
    assertThat(queue.offer("a")).isTrue();
    assertThat(queue.offer("b")).isTrue();
    assertThat(queue.offer("a")).isTrue();

    assertThat(queue.poll()).contains("a");
    assertThat(queue.poll()).contains("b");
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void fullQueue_refusesAnotherElement_untilOneIsTaken() {
    queue.offer("a");
    queue.offer("b");

    assertThat(queue.offer("c")).isFalse();
    queue.poll();
    assertThat(queue.offer("c")).isTrue();
  }
}
