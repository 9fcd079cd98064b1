package dev.agentmemory.recall.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.store.HeapStore;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryRowCheckTest {

  @Test
  void run_rowsThatAreNoMemories_areFoundUpToTheLimit() {
    try (var store = new HeapStore(ZoneOffset.UTC)) {
      assertThat(MemoryRowCheck.run(store.records(), 9)).isEmpty();
      store.commit(
          Commit.of(
              IntStream.range(0, 120)
                  .<Change>mapToObj(
                      i -> new Change.PutRecord(new StoredRecord("memory:%03d".formatted(i), "{}")))
                  .toList()));
      store.commit(Commit.of(new Change.PutRecord(new StoredRecord("other:1", "no memory"))));
      assertThat(MemoryRowCheck.run(store.records(), 1000))
          .hasSize(120)
          .first()
          .extracting(Finding::key)
          .isEqualTo("memory:000");
      assertThat(MemoryRowCheck.run(store.records(), 70)).hasSize(70);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "channel",
        "conversation",
        "digest_times",
        "history",
        "merged",
        "pad",
        "run",
        "run_ids",
        "run_rows",
        "stated",
        "tombstone",
        "use",
        "vector"
      })
  void run_otherRowThatEndsEarly_isFound(String kind) {
    try (var store = new HeapStore(ZoneOffset.UTC)) {
      store.commit(
          Commit.of(
              new Change.PutRecord(new StoredRecord(kind + ":a", "{\"schema_version\":1}")),
              new Change.PutRecord(new StoredRecord(kind + ":b", "{\"schema_vers"))));
      assertThat(MemoryRowCheck.run(store.records(), 9))
          .extracting(Finding::key)
          .containsExactly(kind + ":b");
    }
  }
}
