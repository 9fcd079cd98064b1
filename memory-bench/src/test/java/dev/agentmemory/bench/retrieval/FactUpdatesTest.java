package dev.agentmemory.bench.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.retrieval.FactUpdates.Update;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FactUpdatesTest {

  @Test
  void of_aSeed_isAlwaysTheSame() {
    assertThat(FactUpdates.of(3, 50)).isEqualTo(FactUpdates.of(3, 50));
    assertThat(FactUpdates.of(3, 50)).isNotEqualTo(FactUpdates.of(4, 50));
  }

  @Test
  void updates_ofAllLanguagesAndKinds_areLaterAndDifferent() {
    FactUpdates facts = FactUpdates.of(5, 200);

    assertThat(facts.updates()).hasSize(200);
    assertThat(
            facts.updates().stream()
                .collect(
                    Collectors.groupingBy(
                        update -> update.language() + " " + update.kind(), Collectors.counting()))
                .values())
        .hasSize(25)
        .containsOnly(8L);
    assertThat(facts.updates())
        .allMatch(update -> update.newer().timestamp().isAfter(update.older().timestamp()))
        .allMatch(update -> !update.newer().text().equals(update.older().text()))
        .allMatch(update -> facts.events().contains(update.older()))
        .extracting(Update::question)
        .doesNotHaveDuplicates()
        .noneMatch(question -> question.contains("%"));
    assertThat(facts.events()).extracting(event -> event.id()).doesNotHaveDuplicates();
    assertThat(facts.events()).noneMatch(event -> event.text().matches(".*%[a-z].*"));
  }
}
