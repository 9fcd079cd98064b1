package dev.agentmemory.search.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YearDaysTest {

  private static int day(YearDays days, String time, ZoneId zone) {
    return days.of(LocalDateTime.parse(time).atZone(zone).toInstant().toEpochMilli());
  }

  /// Apia had no 30 December in 2011. In Cairo a day began at 1:00.
  @ParameterizedTest
  @CsvSource({
    "UTC, 2024",
    "Europe/Berlin, 2026",
    "America/Los_Angeles, 2026",
    "Pacific/Apia, 2011",
    "Africa/Cairo, 2010",
    "Pacific/Kiritimati, 2026"
  })
  void eachHour_isOnTheDayOfItsDate(String name, int year) {
    ZoneId zone = ZoneId.of(name);
    var days = new YearDays(year, zone);
    Instant time = LocalDate.of(year, 1, 1).atStartOfDay(zone).toInstant();
    Instant end = LocalDate.of(year + 1, 1, 1).atStartOfDay(zone).toInstant();
    for (; time.isBefore(end); time = time.plusSeconds(1800)) {
      assertThat(days.date(days.of(time.toEpochMilli())))
          .isEqualTo(LocalDate.ofInstant(time, zone));
    }
  }

  @Test
  void borders_belongToTheDayThatBegins() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    var days = new YearDays(2026, zone);
    assertThat(days.size()).isEqualTo(365);
    assertThat(day(days, "2025-12-31T23:59:59.999", zone)).isEqualTo(-1);
    assertThat(day(days, "2026-01-01T00:00", zone)).isZero();
    assertThat(day(days, "2026-03-28T23:59:59.999", zone)).isEqualTo(86);
    assertThat(day(days, "2026-03-29T00:00", zone)).isEqualTo(87);
    assertThat(day(days, "2026-12-31T23:59:59.999", zone)).isEqualTo(364);
    assertThat(day(days, "2027-01-01T00:00", zone)).isEqualTo(-1);
  }
}
