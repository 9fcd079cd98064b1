package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ImportDeferralTest {

  private final AtomicLong nanos = new AtomicLong();
  private final ImportDeferral.Activity imports = new ImportDeferral.Activity(nanos::get);
  private final ImportDeferral deferral = new ImportDeferral(imports);
  private final ImportDeferral other = new ImportDeferral(imports);

  @Test
  void work_withoutABatch_isNotDeferred() {
    assertThat(deferral.left()).isZero();
    other.batch();
    assertThat(deferral.left()).isZero();
  }

  @Test
  void work_isDeferredUntilASilence() {
    deferral.batch();
    assertThat(deferral.left()).isEqualTo(ImportDeferral.SILENCE);
    pass(ImportDeferral.SILENCE.minusNanos(1));
    assertThat(deferral.left()).isEqualTo(Duration.ofNanos(1));
    pass(Duration.ofNanos(1));
    assertThat(deferral.left()).isZero();
  }

  @Test
  void batchForAnotherWorkspace_prolongsADeferral_butBeginsNone() {
    deferral.batch();
    pass(Duration.ofSeconds(1));
    other.batch();
    pass(Duration.ofSeconds(1));
    assertThat(deferral.left()).isEqualTo(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertThat(deferral.left()).isZero();
    other.batch();
    assertThat(deferral.left()).isZero();
  }

  @Test
  void batchesWithoutEnd_deferForABoundedTime_untilThereIsASilence() {
    for (int second = 0; second < ImportDeferral.LONGEST.toSeconds(); second++) {
      deferral.batch();
      assertThat(deferral.left()).isPositive();
      pass(Duration.ofSeconds(1));
    }
    deferral.batch();
    assertThat(deferral.left()).isZero();
    pass(ImportDeferral.SILENCE);
    deferral.batch();
    assertThat(deferral.left()).isEqualTo(ImportDeferral.SILENCE);
  }

  @Test
  void deferral_nearItsLongest_isAsLongAsIsLeft() {
    deferral.batch();
    for (int second = 1; second < ImportDeferral.LONGEST.toSeconds(); second++) {
      pass(Duration.ofSeconds(1));
      deferral.batch();
    }
    assertThat(deferral.left()).isEqualTo(Duration.ofSeconds(1));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
