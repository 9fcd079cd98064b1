package dev.agentmemory.cli.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Times as people write them, read on a Monday in Paris, the day after its clocks were put
/// forward.
class WhenTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");
  private static final Instant NOW = Instant.parse("2026-03-30T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "2026-01-30, 2026-01-29T23:00:00Z, 2026-01-30T23:00:00Z, toc:day:2026-01-30",
    "2026-03-29, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z, toc:day:2026-03-29",
    "2026-01, 2025-12-31T23:00:00Z, 2026-01-31T23:00:00Z, toc:month:2026:01",
    "2026, 2025-12-31T23:00:00Z, 2026-12-31T23:00:00Z, toc:year:2026",
    "2026-W05, 2026-01-25T23:00:00Z, 2026-02-01T23:00:00Z, toc:week:2026:W05",
    "2026-w01, 2025-12-28T23:00:00Z, 2026-01-04T23:00:00Z, toc:week:2026:W01",
    "2020-W53, 2020-12-27T23:00:00Z, 2021-01-03T23:00:00Z, toc:week:2020:W53",
    "today, 2026-03-29T22:00:00Z, 2026-03-30T22:00:00Z, toc:day:2026-03-30",
    "Yesterday, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z, toc:day:2026-03-29",
  })
  void parse_period_hasBeginningAndEnd(String text, Instant start, Instant end, String node) {
    When.Interval range = When.parse("--from", text).in(PARIS, NOW);
    assertThat(range.start()).isEqualTo(start);
    assertThat(range.end()).isEqualTo(end);
    assertThat(range.node()).hasToString(node);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-30T14:30, 2026-01-30T13:30:00Z, toc:day:2026-01-30",
    "2026-01-30 14:30:05, 2026-01-30T13:30:05Z, toc:day:2026-01-30",
    "2026-01-30T14:30:00Z, 2026-01-30T14:30:00Z, toc:day:2026-01-30",
    "2026-01-30T23:30:00.250z, 2026-01-30T23:30:00.250Z, toc:day:2026-01-31",
    "2026-01-30T14:30-05:00, 2026-01-30T19:30:00Z, toc:day:2026-01-30",
    "now, 2026-03-30T12:00:00Z, toc:day:2026-03-30",
    "30m, 2026-03-30T11:30:00Z, toc:day:2026-03-30",
    "24h, 2026-03-29T12:00:00Z, toc:day:2026-03-29",
    // Two days by the calendar are 47 hours when clocks were put forward in between.
    "2d, 2026-03-28T13:00:00Z, toc:day:2026-03-28",
    "7D, 2026-03-23T13:00:00Z, toc:day:2026-03-23",
    "2w, 2026-03-16T13:00:00Z, toc:day:2026-03-16",
    "0, 1970-01-01T00:00:00Z, toc:day:1970-01-01",
    "1769783400000, 2026-01-30T14:30:00Z, toc:day:2026-01-30",
  })
  void parse_moment_endsWhereItBegins(String text, Instant at, String node) {
    When.Interval range = When.parse("--from", text).in(PARIS, NOW);
    assertThat(range.start()).isEqualTo(at);
    assertThat(range.end()).isEqualTo(at);
    assertThat(range.node()).hasToString(node);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "tomorrow",
        "2026-13",
        "2026-02-30",
        "2026-W54",
        "2026-W00",
        "2025-W53",
        "7y",
        "9999999d",
        "-5",
        "1.5h",
        "14:30",
        "2026-01-30T25:00",
        "30.01.2026",
        "12345678901234",
        "2026-01-30T14:30:00+99:00"
      })
  void parse_noTime_isRefusedWithTheForms(String text) {
    assertThatThrownBy(() -> When.parse("--to", text))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD))
        .hasMessageContainingAll("--to: is `" + text + "`", "expected a time: 2026-01-30", "7d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1769783400", "999999999"})
  void parse_seconds_areNotTakenForMilliseconds(String text) {
    assertThatThrownBy(() -> When.parse("--from", text)).hasMessageContaining("seconds");
  }
}
