package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ImportRestTest {

  private final AtomicLong nanos = new AtomicLong();
  private final ImportRest.Activity imports = new ImportRest.Activity(nanos::get);
  private final ImportRest rest = new ImportRest(imports);
  private final ImportRest other = new ImportRest(imports);

  @Test
  void rest_withoutABatch_isNone() {
    assertThat(rest.left()).isZero();
    other.batch();
    assertThat(rest.left()).isZero();
  }

  @Test
  void rest_lastsUntilASilence() {
    rest.batch();
    assertThat(rest.left()).isEqualTo(ImportRest.SILENCE);
    pass(ImportRest.SILENCE.minusNanos(1));
    assertThat(rest.left()).isEqualTo(Duration.ofNanos(1));
    pass(Duration.ofNanos(1));
    assertThat(rest.left()).isZero();
  }

  @Test
  void batchForAnotherWorkspace_prolongsTheRest_butBeginsNone() {
    rest.batch();
    pass(Duration.ofSeconds(1));
    other.batch();
    pass(Duration.ofSeconds(1));
    assertThat(rest.left()).isEqualTo(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertThat(rest.left()).isZero();
    other.batch();
    assertThat(rest.left()).isZero();
  }

  @Test
  void batchesWithoutEnd_endTheRestAllTheSame_untilAfterASilence() {
    for (int second = 0; second < ImportRest.LONGEST.toSeconds(); second++) {
      rest.batch();
      assertThat(rest.left()).isPositive();
      pass(Duration.ofSeconds(1));
    }
    rest.batch();
    assertThat(rest.left()).isZero();
    pass(ImportRest.SILENCE);
    rest.batch();
    assertThat(rest.left()).isEqualTo(ImportRest.SILENCE);
  }

  @Test
  void rest_nearItsLongest_isAsLongAsIsLeft() {
    rest.batch();
    for (int second = 1; second < ImportRest.LONGEST.toSeconds(); second++) {
      pass(Duration.ofSeconds(1));
      rest.batch();
    }
    assertThat(rest.left()).isEqualTo(Duration.ofSeconds(1));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
