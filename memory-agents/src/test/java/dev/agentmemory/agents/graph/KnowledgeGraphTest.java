package dev.agentmemory.agents.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryDraft;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KnowledgeGraphTest {

  @Test
  void entity_isAMemoryForEachObservation() {
    List<MemoryDraft> drafts =
        KnowledgeGraph.read(
            """
            {"type":"entity","name":"billing","entityType":"service","observations":["uses Postgres",""," is old "]}
            """);

    assertThat(drafts)
        .extracting(draft -> draft.content().text())
        .containsExactly("billing (service): uses Postgres", "billing (service): is old");
    assertThat(drafts).extracting(MemoryDraft::id).doesNotHaveDuplicates();
  }

  @Test
  void relation_isAMemory_withTheSameIdAgain() {
    String line =
        "{\"type\":\"relation\",\"from\":\"a\",\"to\":\"b\",\"relationType\":\"writes to\"}";

    assertThat(KnowledgeGraph.read(line).getFirst().content().text()).isEqualTo("a writes to b");
    assertThat(KnowledgeGraph.read(line)).isEqualTo(KnowledgeGraph.read(line));
  }

  @Test
  void otherLine_isNothing() {
    for (String line : List.of("", "[]", "{", "{\"type\":\"entity\"}", "{\"type\":\"relation\"}")) {
      assertThat(KnowledgeGraph.read(line)).isEmpty();
    }
  }
}
