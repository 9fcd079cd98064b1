package dev.agentmemory.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.abuse.OtherClients.Kind;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnsweredCallsTest {

  /// Timers may begin anywhere.
  private static final long FROM = -5_000_000_000L;

  private static final Map<Kind, Double> BEFORE =
      Map.of(Kind.SEARCH, 10.0, Kind.TOC, 10.0, Kind.INGEST, 10.0);

  private final AnsweredCalls times = new AnsweredCalls();

  /// Calls of all kinds each 100 ms, from one time to another.
  private void calls(int fromMillis, int toMillis, int tookMillis) {
    for (int at = fromMillis; at < toMillis; at += 100) {
      for (Kind kind : Kind.values()) {
        call(kind, at, tookMillis);
      }
    }
  }

  private void call(Kind kind, int atMillis, int tookMillis) {
    long planned = FROM + TimeUnit.MILLISECONDS.toNanos(atMillis);
    times.add(kind, planned, planned + TimeUnit.MILLISECONDS.toNanos(tookMillis));
  }

  @Test
  void p95_countsTheCallsThatWerePlannedInTheTime() {
    calls(0, 1000, 3);
    calls(1000, 2000, 50);
    assertThat(times.p95(FROM, FROM + TimeUnit.SECONDS.toNanos(1)))
        .containsEntry(Kind.SEARCH, 3.0)
        .hasSize(Kind.values().length);
    assertThat(times.p95(FROM, FROM + TimeUnit.SECONDS.toNanos(2))).containsEntry(Kind.TOC, 50.0);
  }

  @Test
  void p95_withoutAnAnswer_isInfinite() {
    assertThat(times.p95(FROM, FROM + 1)).containsEntry(Kind.TOC, Double.POSITIVE_INFINITY);
  }

  @Test
  void recovery_isTheBeginOfTheFirstSecondThatIsAsQuickAsBefore() {
    calls(0, 1000, 30);
    calls(1000, 1600, 5);
    assertThat(times.recovery(FROM, BEFORE)).isInfinite();
    // From 0.6 s on, six of ten calls are quick.
    calls(1600, 1700, 5);
    assertThat(times.recovery(FROM, BEFORE)).isEqualTo(0.6);
  }

  @Test
  void recovery_oneKindIsSlow_isNotReached() {
    for (int at = 0; at < 3000; at += 100) {
      call(Kind.SEARCH, at, 30);
      call(Kind.TOC, at, 1);
      call(Kind.INGEST, at, 1);
    }
    assertThat(times.recovery(FROM, BEFORE)).isInfinite();
  }

  /// A slow call that is not answered is not among the calls of its second.
  @Test
  void recovery_secondWhoseCallsAreNotAllAnswered_doesNotCount() {
    for (int at = 0; at < 3000; at += 100) {
      call(Kind.TOC, at, 1);
      call(Kind.INGEST, at, 1);
    }
    call(Kind.SEARCH, 0, 1);
    call(Kind.SEARCH, 100, 1);
    assertThat(times.recovery(FROM, BEFORE)).isInfinite();
    call(Kind.SEARCH, 200, 2000);
    call(Kind.SEARCH, 1000, 1);
    assertThat(times.recovery(FROM, BEFORE)).isZero();
  }
}
