package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeneratedMemoriesTest {

  private static final Instant UNTIL = Instant.parse("2026-01-30T14:30:00Z");

  private final List<MemoryDraft> drafts =
      IntStream.range(0, 2_000).mapToObj(new GeneratedMemories(UNTIL)::draft).toList();

  @Test
  void draft_sameNumber_isTheSame() {
    assertThat(new GeneratedMemories(UNTIL).draft(1_234)).isEqualTo(drafts.get(1_234));
  }

  @Test
  void drafts_areDistinctAndOfTheTimeBefore() {
    assertThat(drafts).extracting(draft -> draft.content().text()).doesNotHaveDuplicates();
    assertThat(drafts)
        .extracting(draft -> draft.created().orElseThrow())
        .allMatch(
            time -> !time.isAfter(UNTIL) && !time.isBefore(UNTIL.minus(GeneratedMemories.SPAN)));
  }

  @Test
  void references_nameEarlierMemories() {
    Set<MemoryId> known = new HashSet<>();
    int referring = 0;
    for (MemoryDraft draft : drafts) {
      assertThat(known).containsAll(draft.links().references());
      referring += draft.links().references().isEmpty() ? 0 : 1;
      known.add(draft.id().orElseThrow());
    }
    assertThat(known).hasSize(drafts.size());
    assertThat(referring).isBetween(500, 700);
  }

  @Test
  void drafts_haveAllKindsAndOneToThreeTags() {
    assertThat(drafts).extracting(MemoryDraft::kind).contains(MemoryKind.values());
    assertThat(drafts).allMatch(draft -> !draft.tags().isEmpty() && draft.tags().size() <= 3);
  }

  @Test
  void draft_ofALength_hasIt() {
    assertThat(new GeneratedMemories(UNTIL).draft(7, 1_500).content().text())
        .hasSizeBetween(1_500, 1_600);
  }
}
