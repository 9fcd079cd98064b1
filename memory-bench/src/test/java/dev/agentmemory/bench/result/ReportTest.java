package dev.agentmemory.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportTest {

  private static final Check FAST = Check.atLeast(0.8, "fast", 2, "ratio");
  private static final Check LOST = Check.atMost(0, "lost", 1, "events");

  @Test
  void json_secondCheckMissesItsBar_doesNotHoldAndShowsTheFirst() throws IOException {
    JsonNode json = new ObjectMapper().readTree(Report.json(result(FAST, LOST)));

    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("name", "value", "bar", "holds", "unit", "details");
    assertThat(json.path("holds").asBoolean()).isFalse();
    assertThat(json.path("value").asDouble()).isEqualTo(2);
    assertThat(json.path("bar").asDouble()).isEqualTo(0.8);
    assertThat(json.path("details").path("checks").get(1).path("holds").asBoolean(true)).isFalse();
    assertThat(json.path("details").path("rows").get(0).path("median").asDouble()).isEqualTo(3);
  }

  @Test
  void check_exactlyAtTheBar_holdsOnBothSides() {
    assertThat(Check.atLeast(1.5, "a", 1.5, "ratio").holds()).isTrue();
    assertThat(Check.atMost(1.5, "a", 1.5, "ratio").holds()).isTrue();
  }

  @Test
  void check_notANumber_neverHolds() {
    assertThat(Check.atLeast(0, "a", Double.NaN, "ratio").holds()).isFalse();
    assertThat(Check.atMost(0, "a", Double.NaN, "ratio").holds()).isFalse();
  }

  @Test
  void table_missedBar_saysSo() {
    assertThat(Report.table(result(LOST)))
        .contains("rate", "(2 to 4, n=3)", "lost: 1 events (bar <= 0) DOES NOT HOLD");
  }

  @Test
  void number_anySize_keepsThreeDigitsThatCount() {
    assertThat(List.of(0.1234, 1.234, 12.34, 1234.4, 5.0))
        .extracting(Report::number)
        .containsExactly("0.123", "1.23", "12.3", "1,234", "5");
  }

  private static Result result(Check... checks) {
    return new Result(
        "some",
        List.of(checks),
        List.of(new Result.Row("rate", "1/s", new Measured(List.of(2.0, 4.0, 3.0)))),
        List.of("how"));
  }
}
