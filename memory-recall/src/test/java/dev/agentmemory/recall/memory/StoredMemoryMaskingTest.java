package dev.agentmemory.recall.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.masking.RecordMasking;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Masking of memories that were stored before there was a rule for their secrets.
class StoredMemoryMaskingTest {

  private static final String SECRET = "opensesame";

  /// The rule that is new.
  private static final TextMask RULE = text -> text.replace(SECRET, "[masked:word]");

  private final RecallWorld world = new RecallWorld();

  private RecordMasking mask() {
    var masking = new RecordMasking(RULE, RULE, _ -> false);
    masking.run(
        world.store, world.workspace::exclusive, changes -> world.store.commit(Commit.of(changes)));
    world.workspace.reload();
    return masking;
  }

  private String rows() {
    var rows = new StringBuilder();
    for (StoredRecord row : world.store.records().records("", Optional.empty(), 1000)) {
      rows.append(row.key()).append(' ').append(row.value()).append('\n');
    }
    return rows.toString();
  }

  @Test
  void memory_andItsFormerStates_areMasked_withValidChecksums() {
    MemoryRecord before =
        world.remember(
            RecallWorld.draft("the gate opens with opensesame")
                .tags(Set.of(RecallWorld.tag("gate"))));
    world.update(
        before.id(),
        update -> update.withContent(MemoryContent.of("the gate still opens with opensesame")));
    world.embedAll();
    assertThat(rows()).contains(SECRET, "vector:");

    RecordMasking masking = mask();

    assertThat(masking.memories().rows()).isEqualTo(2);
    assertThat(masking.memories().of("word")).isEqualTo(2);
    assertThat(rows()).doesNotContain(SECRET);
    world.reopen();
    MemoryRecord after = world.memories.get(before.id());
    assertThat(after.content().text()).isEqualTo("the gate still opens with [masked:word]");
    assertThat(after.tags()).isEqualTo(before.tags());
    assertThat(after.embedding()).isEqualTo(EmbeddingState.PENDING);
    assertThat(world.workspace.rows().history(before.id()))
        .extracting(state -> state.memory().content().text())
        .containsExactly("the gate opens with [masked:word]");
    assertThat(world.workspace.unreadable()).isZero();
    assertThat(world.texts(SECRET)).isEmpty();
    assertThat(mask().memories().rows()).as("a second run").isZero();
  }

  @Test
  void memory_whoseChecksumDoesNotMatch_isMasked_andStaysDamaged() {
    MemoryRecord memory = world.remember("the gate opens with opensesame");
    world.damage(memory.id());
    assertThat(mask().memories().rows()).isEqualTo(1);
    assertThat(rows()).doesNotContain(SECRET);
    world.reopen();
    assertThat(world.workspace.table().corrupt()).containsExactly(memory.id());
  }

  @Test
  void partsOfASecret_areMaskedInMemoriesOfItsEventsOnly() {
    MemoryRecord own = world.remember("it begins with opens and more");
    TextMask parts = text -> RULE.apply(text).replace("opens", "[masked:word]");
    var masking = new RecordMasking(RULE, parts, _ -> true);
    masking.run(world.store, world.lock::hold, _ -> {});
    assertThat(masking.memories().rows()).as("it rests on no event").isZero();
    assertThat(world.memories.get(own.id()).content().text()).contains("opens");
  }

  @Test
  void scratchpad_keyAndValue_areMasked_theRestOfTheRowStays() {
    world.store.commit(
        Commit.of(
            new Change.PutRecord(
                new StoredRecord(
                    "pad:s1\0key of opensesame",
                    "{\"schema_version\":1,\"value\":\"{\\\"a\\\":\\\"opensesame\\\"}\","
                        + "\"created_ms\":1,\"updated_ms\":2}"))));
    RecordMasking masking = mask();
    assertThat(masking.others().rows()).isEqualTo(1);
    assertThat(world.store.records().record("pad:s1\0key of [masked:word]").orElseThrow())
        .contains("[masked:word]", "\"created_ms\":1", "\"updated_ms\":2");
    assertThat(rows()).doesNotContain(SECRET);
  }

  @Test
  void conversation_userAndPreferences_areMasked() {
    world.store.commit(
        Commit.of(
            new Change.PutRecord(
                new StoredRecord(
                    "conversation:s1",
                    "{\"schema_version\":1,\"ref_code\":\"opensesame\",\"user\":\"opensesame\","
                        + "\"preferences\":{\"language\":\"en\",\"custom\":"
                        + "{\"tone\":\"opensesame\"}}}"))));
    assertThat(mask().others().rows()).isEqualTo(1);
    assertThat(world.store.records().record("conversation:s1").orElseThrow())
        .isEqualTo(
            "{\"schema_version\":1,\"ref_code\":\"opensesame\",\"user\":\"[masked:word]\","
                + "\"preferences\":{\"language\":\"en\",\"custom\":"
                + "{\"tone\":\"[masked:word]\"}}}");
  }
}
