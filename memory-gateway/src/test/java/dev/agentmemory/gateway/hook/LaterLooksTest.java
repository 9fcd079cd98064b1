package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LaterLooksTest {

  private static final Instant HOOK = Instant.parse("2026-11-25T10:00:00Z");

  private final LaterLooks<String> looks = new LaterLooks<>();

  @Test
  void looks_areDueAfterASecondFiveSecondsAndHalfAMinute() {
    looks.hook("a", HOOK);

    assertThat(looks.due(HOOK.plusMillis(999))).isEmpty();
    assertThat(looks.due(HOOK.plusSeconds(1))).containsExactly("a");
    assertThat(looks.due(HOOK.plusSeconds(4))).isEmpty();
    assertThat(looks.due(HOOK.plusSeconds(5))).containsExactly("a");
    assertThat(looks.due(HOOK.plusSeconds(29))).isEmpty();
    assertThat(looks.due(HOOK.plusSeconds(30))).containsExactly("a");
    assertThat(looks.due(HOOK.plusSeconds(3000))).isEmpty();
  }

  @Test
  void anotherHook_beginsAnew() {
    looks.hook("a", HOOK);
    looks.hook("a", HOOK.plusSeconds(10));

    assertThat(looks.due(HOOK.plusSeconds(10))).isEmpty();
    assertThat(looks.due(HOOK.plusSeconds(11))).containsExactly("a");
  }

  @Test
  void forgottenOne_isNotDue() {
    looks.hook("a", HOOK);
    looks.forget("a");

    assertThat(looks.due(HOOK.plusSeconds(60))).isEmpty();
  }

  @Test
  void moreThanTheMost_forgetsTheOldest() {
    IntStream.rangeClosed(0, LaterLooks.MOST).forEach(i -> looks.hook("t" + i, HOOK));

    assertThat(looks.due(HOOK.plusSeconds(1)))
        .hasSize(LaterLooks.MOST)
        .doesNotContain("t0")
        .contains("t1");
  }
}
