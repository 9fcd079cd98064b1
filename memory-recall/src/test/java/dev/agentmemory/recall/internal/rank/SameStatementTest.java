package dev.agentmemory.recall.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryStatement;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameStatementTest {

  private static final SameStatement SAME = new SameStatement(0.9);
  private static final Optional<float[]> NO_VECTOR = Optional.empty();

  /// At cosine 0.95 of each other.
  private static final float[] ONE = {1, 0};

  private static final float[] NEAR = {0.95f, 0.3122f};
  private static final float[] FAR = {0.89f, 0.456f};

  private static MemoryEntry entry(String text, Optional<float[]> vector) {
    return new MemoryEntry(
        new MemoryId(TestEvents.id(TestEvents.START, 1)),
        MemoryPlace.WORKSPACE,
        MemoryLifetime.SHORT_TERM,
        MemoryKind.OBSERVATION,
        "user",
        0.5,
        false,
        Set.of(),
        List.of(),
        Validity.since(TestEvents.START),
        MemoryUse.NEVER,
        100,
        MemoryStatement.of(text),
        vector.map(values -> new MemoryVector("m", values)));
  }

  @Test
  void equalTexts_areTheSame_alsoWithoutVectors() {
    assertThat(SAME.test(entry("We use Kafka.", NO_VECTOR), entry("we use Kafka", NO_VECTOR)))
        .isTrue();
    assertThat(
            SAME.test(entry("We use Kafka.", Optional.of(ONE)), entry("we use kafka", NO_VECTOR)))
        .isTrue();
    assertThat(SAME.test(entry("...", NO_VECTOR), entry("...", NO_VECTOR)))
        .as("without words nothing is stated")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "We decided to use Kafka 3, Let's use Kafka 3",
    "We use Kafka for events, We have chosen Kafka for events",
    "The build takes ten minutes, The build needs ten minutes"
  })
  void otherWording_isTheSameWhereVectorsAreNear(String one, String other) {
    assertThat(SAME.test(entry(one, Optional.of(ONE)), entry(other, Optional.of(NEAR)))).isTrue();
    assertThat(SAME.test(entry(one, Optional.of(ONE)), entry(other, Optional.of(FAR)))).isFalse();
    assertThat(SAME.test(entry(one, Optional.of(ONE)), entry(other, NO_VECTOR))).isFalse();
    assertThat(SAME.test(entry(one, NO_VECTOR), entry(other, NO_VECTOR))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "We use Kafka 3, We use Kafka 4",
    "The port is 8080, The port is 8081",
    "Due on 2026-03-01, Due on 2026-03-02",
    "The release is on Monday, The release is on Tuesday",
    "Anna owns the build, Ben owns the build",
    "we use kafka, we use redis",
    "We use version 1.2.3, We use version 1.2.4",
    "It takes 5 ms, It takes 5 s",
    "The limit is 5 MB, The limit is 5 MiB",
    "We use Kafka, We do not use Kafka",
    "We use Kafka, We never use Kafka",
    "We use Kafka, We don't use Kafka",
    "Use tabs, Use no tabs",
    "The service depends on auth, Auth depends on the service",
    "Copy from A to B, Copy to A from B",
    "The caf\u00e9 is open, The \u0441\u0430f\u00e9 is open",
    "We used Kafka, We use Kafka",
    "We should use Kafka, We use Kafka"
  })
  void nearVectors_differInWhatTellsStatementsApart_areNotTheSame(String one, String other) {
    assertThat(SAME.test(entry(one, Optional.of(ONE)), entry(other, Optional.of(ONE)))).isFalse();
  }

  @Test
  void vectors_ofOtherModels_areNotCompared() {
    MemoryEntry other =
        entry("Let's use Kafka", NO_VECTOR).withVector(Optional.of(new MemoryVector("other", ONE)));
    assertThat(SAME.test(entry("We use Kafka", Optional.of(ONE)), other)).isFalse();
  }
}
