package dev.agentmemory.agents.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Times in payloads: the usual form is read as the formatter reads it.
class PayloadTimesTest {

  private static Optional<Instant> read(String text) {
    return PayloadFields.of(PayloadFields.JSON.createObjectNode().put("at", text)).time("at");
  }

  private static Optional<Instant> byFormatter(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-02T03:04:05.678Z",
        "2024-02-29T23:59:59.999Z",
        "2026-02-29T00:00:00.000Z",
        "2026-02-28T24:00:00.000Z",
        "2026-02-28T24:00:01.000Z",
        "2026-02-28T25:00:00.000Z",
        "2026-02-28T23:60:00.000Z",
        "2026-12-31T23:59:60.000Z",
        "2026-13-01T00:00:00.000Z",
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.678901Z",
        "2026-01-02T03:04:05.67+0",
        "2026-01-02T03:04:05.678+02:00",
        "2026-01-02T03:04:05.678z",
        "2026-01-02t03:04:05.678Z",
        "2026-01-02 03:04:05.678Z",
        "+026-01-02T03:04:05.678Z",
        "2026-01-02T03:04:05.-78Z",
        "\u0662\u0660\u0662\u0666-01-02T03:04:05.678Z"
      })
  void time_isThatOfTheFormatter(String text) {
    assertThat(read(text)).isEqualTo(byFormatter(text));
  }

  @Test
  void time_ofTheUsualForm_isThatOfTheFormatter() {
    var random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      String text =
          "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ"
              .formatted(
                  random.nextInt(1971, 2200),
                  random.nextInt(14),
                  random.nextInt(33),
                  random.nextInt(26),
                  random.nextInt(62),
                  random.nextInt(62),
                  random.nextInt(1000));
      assertThat(read(text)).as(text).isEqualTo(byFormatter(text));
    }
  }
}
