package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class YearsTest {

  @Test
  void batch_sameNumber_isTheSameBatchOfItsDay() {
    List<Event> batch = Years.batch(2, 1000);
    assertThat(batch).hasSize(1000).isEqualTo(Years.batch(2, 1000));
    assertThat(batch.getFirst().timestamp())
        .isEqualTo(Years.END.plus(Duration.ofDays(2)).plus(Duration.ofHours(8)));
    assertThat(batch.getLast().timestamp()).isBefore(Years.END.plus(Duration.ofDays(3)));
  }

  @Test
  void batches_different_shareNoEvent() {
    var ids = new HashSet<Object>();
    for (int number = 0; number < 3; number++) {
      Years.batch(number, 200).forEach(event -> ids.add(event.id()));
    }
    assertThat(ids).hasSize(600);
  }
}
