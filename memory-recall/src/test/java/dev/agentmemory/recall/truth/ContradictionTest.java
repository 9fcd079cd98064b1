package dev.agentmemory.recall.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryKind;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pairs that contradict each other, and pairs that resemble them.
final class ContradictionTest {

  private static StatementRelation between(String older, String newer, OptionalDouble cosine) {
    return Contradiction.between(
        new StatedText(MemoryKind.DECISION, older),
        new StatedText(MemoryKind.DECISION, newer),
        cosine);
  }

  private static StatementRelation between(String older, String newer) {
    return between(older, newer, OptionalDouble.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The search service listens on port 7700. | The search service listens on port 7811.",
        "The mobile app is written in Flutter. | The mobile app is written in Kotlin.",
        "Sessions expire after 30 minutes. | Sessions expire after 8 hours."
      })
  void value_other_supersedes(String older, String newer) {
    assertThat(between(older, newer)).isEqualTo(StatementRelation.SUPERSEDES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "We use Mocha for the frontend tests. | Actually, we use Vitest for the frontend tests.",
        "We use Mocha for the frontend tests. | We no longer use Mocha for the frontend tests.",
        "We use Mocha for the frontend tests. | We switched to Vitest for the frontend tests."
      })
  void change_inWords_supersedes(String older, String newer) {
    assertThat(between(older, newer)).isEqualTo(StatementRelation.SUPERSEDES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Staging runs Postgres 15. | Production runs Postgres 16.",
        "The orders endpoint returns 100 rows. | The customers endpoint returns 500 rows.",
        "My brother lives in Leipzig. | My sister lives in Bologna.",
        "Version 2 needs Python 3.9. | Version 3 needs Python 3.11.",
        "We use Redis for sessions. | We also use Redis for the rate limiter.",
        "The main database is MariaDB. | Just for this demo we use SQLite as the database.",
        "Sessions expire after 30 minutes. | The living room walls will be white."
      })
  void subject_other_coexists(String older, String newer) {
    assertThat(between(older, newer)).isEqualTo(StatementRelation.COEXISTS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The payment worker uses backoff. | The payment worker listens on port 7001.",
        "The order service owns the invoices table. | The order service calls the tax API.",
        "The staging cluster has three nodes. | The staging cluster is in Frankfurt.",
        "The event bus is Kafka. | The event bus keeps events for seven days.",
        "The cache uses LRU eviction. | The cache holds 10,000 entries.",
        "My laptop has 16 GB of memory. | My laptop runs Linux.",
        "I don't drink alcohol. | Alcohol is something I never drink."
      })
  void property_other_coexists(String older, String newer) {
    for (MemoryKind kind : MemoryKind.values()) {
      assertThat(
              Contradiction.between(
                  new StatedText(kind, older), new StatedText(kind, newer), OptionalDouble.empty()))
          .as("%s", kind)
          .isEqualTo(StatementRelation.COEXISTS);
    }
  }

  @Test
  void text_same_isSame() {
    assertThat(between("We use tabs.", "We use tabs.")).isEqualTo(StatementRelation.SAME);
  }

  @Test
  void vectors_farApart_coexist() {
    String older = "The search service listens on port 7700.";
    String newer = "The search service listens on port 7811.";
    assertThat(between(older, newer, OptionalDouble.of(0.9)))
        .isEqualTo(StatementRelation.SUPERSEDES);
    assertThat(between(older, newer, OptionalDouble.of(0.1))).isEqualTo(StatementRelation.COEXISTS);
  }

  @Test
  void comparison_sameTwice_isEqual() {
    String older = "We use Mocha for the frontend tests.";
    String newer = "We switched to Vitest for the frontend tests.";
    assertThat(between(older, newer)).isEqualTo(between(older, newer));
  }
}
