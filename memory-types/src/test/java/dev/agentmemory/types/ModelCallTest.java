package dev.agentmemory.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelCallTest {

  private static final String ID = "01KG7ZNH6000000000000000AB";
  private static final Instant TIME = Instant.ofEpochSecond(1_769_783_400, 123_456_789);

  @Test
  void call_finerThanMilliseconds_isCutToThem() {
    ModelCall call = call(ID, TIME, "job", "model", 0, Duration.ofNanos(2_999_999));
    assertThat(call.time()).isEqualTo(Instant.ofEpochMilli(1_769_783_400_123L));
    assertThat(call.duration()).isEqualTo(Duration.ofMillis(2));
  }

  @Test
  void call_withWhatCannotBe_isRefused() {
    refused("ULID", "01KG", TIME, "job", "model", 0, Duration.ZERO);
    refused("ULID", ID + "@alpha", TIME, "job", "model", 0, Duration.ZERO);
    refused("job", ID, TIME, "", "model", 0, Duration.ZERO);
    refused("model", ID, TIME, "job", "", 0, Duration.ZERO);
    refused("inputTokens", ID, TIME, "job", "model", -1, Duration.ZERO);
    refused("duration", ID, TIME, "job", "model", 0, Duration.ofMillis(-1));
    refused("time", ID, Instant.ofEpochMilli(-1), "job", "model", 0, Duration.ZERO);
    Instant far = Instant.ofEpochMilli(10_000_000_000_000L);
    refused("time", ID, far, "job", "model", 0, Duration.ZERO);
  }

  private static void refused(
      String says,
      String id,
      Instant time,
      String job,
      String model,
      long tokens,
      Duration duration) {
    assertThatThrownBy(() -> call(id, time, job, model, tokens, duration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(says);
  }

  private static ModelCall call(
      String id, Instant time, String job, String model, long tokens, Duration duration) {
    return new ModelCall(
        id, time, job, Optional.empty(), model, tokens, 0, duration, ModelCall.Outcome.SUCCESS);
  }
}
