package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which moments an expression names, also where clocks are put forward and back.
class CronTimesTest {

  /// Forward on 2026-03-29 from 02:00 to 03:00, back on 2026-10-25 from 03:00 to 02:00.
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /// Forward at midnight of 2025-04-25: the day begins at 01:00.
  private static final ZoneId CAIRO = ZoneId.of("Africa/Cairo");

  @Test
  void next_daily_isTheSameHourAcrossBothChanges() {
    assertThat(times("0 17 * * *", BERLIN, "2026-03-28T12:00:00Z", 3))
        .containsExactly("2026-03-28T16:00:00Z", "2026-03-29T15:00:00Z", "2026-03-30T15:00:00Z");
    assertThat(times("0 17 * * *", BERLIN, "2026-10-24T12:00:00Z", 3))
        .containsExactly("2026-10-24T15:00:00Z", "2026-10-25T16:00:00Z", "2026-10-26T16:00:00Z");
  }

  @Test
  void next_timeThatTheClockJumpsOver_isTheJumpItselfAndOnce() {
    assertThat(times("15,45 2 * * *", BERLIN, "2026-03-28T23:00:00Z", 3))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:15:00Z", "2026-03-30T00:45:00Z");
    assertThat(times("0 0 * * *", CAIRO, "2025-04-24T00:00:00Z", 2))
        .containsExactly("2025-04-24T22:00:00Z", "2025-04-25T21:00:00Z");
  }

  @Test
  void next_timeThatTheClockShowsTwice_isTheFirstOnly() {
    assertThat(times("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times("30 2 * * *", BERLIN, "2026-10-25T01:10:00Z", 1))
        .containsExactly("2026-10-26T01:30:00Z");
  }

  @Test
  void next_everyHour_goesOnThroughBothChanges() {
    assertThat(times("0 * * * *", BERLIN, "2026-10-24T23:30:00Z", 4))
        .containsExactly(
            "2026-10-25T00:00:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T02:00:00Z",
            "2026-10-25T03:00:00Z");
    assertThat(times("*/30 * * * *", BERLIN, "2026-03-29T00:10:00Z", 3))
        .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
  }

  @Test
  void next_dayOfMonthAndOfWeek_eitherIsEnough() {
    assertThat(times("0 0 13 * 5", ZoneOffset.UTC, "2026-03-01T00:00:00Z", 3))
        .containsExactly("2026-03-06T00:00:00Z", "2026-03-13T00:00:00Z", "2026-03-20T00:00:00Z");
  }

  @Test
  void next_zeroAndSeven_areBothSunday() {
    for (String sunday : List.of("30 4 * * 0", "30 4 * * 7", "30 4 * * SUN")) {
      assertThat(times(sunday, ZoneOffset.UTC, "2026-01-30T12:00:00Z", 1))
          .as(sunday)
          .containsExactly("2026-02-01T04:30:00Z");
    }
  }

  @Test
  void next_leapDay_isFoundYearsAhead() {
    assertThat(times("0 0 29 2 *", ZoneOffset.UTC, "2026-01-01T00:00:00Z", 1))
        .containsExactly("2028-02-29T00:00:00Z");
  }

  @Test
  void spacing_isTheTimeBetweenTwoNamedTimes() {
    var times = CronTimes.of("*/5 * * * *", ZoneOffset.UTC);
    assertThat(times.spacing(Instant.EPOCH)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void defaults_areRightAsTheyStand() {
    JobsConfig jobs = JobsConfig.DEFAULT;
    for (String one : List.of(jobs.compaction(), jobs.outboxTrim(), jobs.integrityCheck())) {
      assertThat(CronTimes.of(one, jobs.zone()).spacing(Instant.EPOCH)).as(one).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "0 4 * *",
        "0 4 * * * *",
        "61 * * * *",
        "0 24 * * *",
        "0 4 * * 8",
        "0 4 0 * *",
        "often",
        "@daily",
        "0 4 30 2 *",
        "-1 * * * *",
        "*/0 * * * *"
      })
  void expression_wrong_saysWhatIsExpected(String expression) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronTimes.of(expression, ZoneOffset.UTC))
        .withMessageContaining("minute, hour, day of month, month and day of week");
  }

  private static List<String> times(String expression, ZoneId zone, String after, int count) {
    var times = CronTimes.of(expression, zone);
    return Stream.iterate(times.next(Instant.parse(after)), times::next)
        .limit(count)
        .map(Instant::toString)
        .toList();
  }
}
