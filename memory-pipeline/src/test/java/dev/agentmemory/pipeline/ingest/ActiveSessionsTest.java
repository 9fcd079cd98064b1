package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ActiveSessionsTest {

  private Instant now = TestEvents.START;
  private final ActiveSessions active = new ActiveSessions(() -> now);

  private void speaks(String session) {
    active.add(TestEvents.message(session, TestEvents.START, "hello"));
  }

  @Test
  void session_isActiveUntilItHasBeenSilentForHalfAnHour() {
    speaks("a");
    now = now.plus(Duration.ofMinutes(29));
    speaks("b");
    speaks("b");
    assertThat(active.count()).isEqualTo(2);
    now = now.plus(Duration.ofMinutes(1));
    assertThat(active.count()).isEqualTo(1);
    speaks("a");
    assertThat(active.count()).isEqualTo(2);
  }

  @Test
  void sessionThatHasEnded_isNotActive() {
    speaks("a");
    active.add(TestEvents.end("a", TestEvents.START));
    assertThat(active.count()).isZero();
  }

  @Test
  void ofTooManySessions_theOnesThatAreSilentForLongest_areForgotten() {
    for (int i = 0; i <= ActiveSessions.MOST; i++) {
      speaks("s" + i);
    }
    assertThat(active.count()).isEqualTo(ActiveSessions.MOST);
    active.add(TestEvents.end("s0", TestEvents.START));
    assertThat(active.count()).isEqualTo(ActiveSessions.MOST);
    active.add(TestEvents.end("s1", TestEvents.START));
    assertThat(active.count()).isEqualTo(ActiveSessions.MOST - 1);
  }
}
