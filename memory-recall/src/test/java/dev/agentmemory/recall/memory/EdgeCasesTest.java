package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Edge cases of sessions and searches that no other test has.
class EdgeCasesTest {

  private static final int LARGE = 1_000_000;

  private final RecallWorld world = new RecallWorld();

  private long bytes() {
    return world.workspace.bytes(SESSION);
  }

  private void remember(int characters) {
    world.remember(draft("x".repeat(characters)).place(MemoryPlace.WORKSPACE.from(SESSION)));
  }

  @Test
  void session_exactlyAtItsQuota_isFull_andOneByteMoreIsRefused() {
    long quota = world.config.sessions().quotaBytes();
    world.budget = new ByteQuota(quota, _ -> 0);
    remember(1);
    long around = bytes() - 1;
    while (bytes() + LARGE + around < quota - around) {
      remember(LARGE);
    }
    int rest = (int) (quota - bytes() - around);
    assertThatThrownBy(() -> remember(rest + 1))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED))
        .hasMessageContainingAll(
            "uses %d of %d bytes".formatted(bytes(), quota),
            "has %d".formatted(quota - bytes() + 1));
    assertThat(bytes()).isLessThan(quota);
    remember(rest);

    assertThat(bytes()).isEqualTo(quota).isEqualTo(10_000_000L);
    world.reopen();
    assertThat(bytes()).isEqualTo(quota);
    assertThatThrownBy(() -> remember(1)).hasMessageContaining("recall.session_quota");
  }

  @Test
  void content_overOneMebibyte_isRefusedWithItsSize() {
    String largest = "x".repeat(MemoryContent.MAX_BYTES);
    world.remember(largest);

    assertThatThrownBy(() -> world.remember(largest + "x"))
        .hasMessage(
            "content: has 1048577 bytes of UTF-8; expected at most 1048576, structured content"
                + " included");
    assertThat(world.workspace.entries()).hasSize(1);
  }

  @Test
  void search_thatFindsNothing_isEmptyAndNoError() {
    assertThat(world.memories.search(MemorySearch.of("nothing")).hits()).isEmpty();
    world.remember("text");

    MemoryAnswer answer = world.memories.search(MemorySearch.of("absent"));
    assertThat(answer.hits()).isEmpty();
    assertThat(answer.skipped()).isZero();
    var unused =
        MemoryFilter.builder()
            .tags(new TagFilter(Set.of(RecallWorld.tag("unused")), false, Set.of()))
            .build();
    assertThat(world.memories.search(MemorySearch.of("text").withFilter(unused)).hits()).isEmpty();
  }
}
