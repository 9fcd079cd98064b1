package dev.agentmemory.cli.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodTest {

  @Test
  void period_eachUnit_isRead() {
    assertThat(Period.parse("--last", "90m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(Period.parse("--last", " 336H ")).isEqualTo(Duration.ofDays(14));
    assertThat(Period.parse("--last", "14d")).isEqualTo(Duration.ofDays(14));
    assertThat(Period.parse("--last", "2w")).isEqualTo(Duration.ofDays(14));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0h", "h", "1", "1y", "-1h", "1.5h", "1234567h", "1h30m"})
  void period_ofAnotherForm_isRefused(String text) {
    assertThatThrownBy(() -> Period.parse("--last", text))
        .hasMessageStartingWith("--last: is `" + text + "`; expected minutes");
  }
}
