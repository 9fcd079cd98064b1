package dev.agentmemory.recall.injection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryId;
import org.junit.jupiter.api.Test;

class CitedIdsTest {

  private static final String ULID = "01KG7ZNH6000000000000000AB";

  @Test
  void of_readsEachCitationOnce_inTheOrderOfTheText() {
    String grip = "grip:1769783400000:" + ULID;
    assertThat(
            CitedIds.of(
                "a [mem:%1$s]\nb [evt:%1$s] [%2$s], [toc:day:2026-01-30] [mem:%1$s] [no] [evt: x]"
                    .formatted(ULID, grip)))
        .containsExactly("mem:" + ULID, "evt:" + ULID, grip, "toc:day:2026-01-30");
  }

  @Test
  void kinds_areTold_andWhatIsNoIdIsOfNone() {
    assertThat(CitedIds.event("evt:" + ULID)).contains(new EventId(ULID));
    assertThat(CitedIds.event("mem:" + ULID)).isEmpty();
    assertThat(CitedIds.event("evt:nothing")).isEmpty();
    assertThat(CitedIds.memory("mem:" + ULID)).contains(MemoryId.of(ULID));
    assertThat(CitedIds.memory("mem:nothing")).isEmpty();
    assertThat(CitedIds.grip("grip:1769783400000:" + ULID)).isPresent();
    assertThat(CitedIds.grip("grip:x")).isEmpty();
    assertThat(CitedIds.node("toc:day:2026-01-30")).isPresent();
    assertThat(CitedIds.node("toc:nothing")).isEmpty();
  }

  @Test
  void bare_isWhatAnAnswerNames() {
    assertThat(CitedIds.bare("mem:" + ULID)).isEqualTo(ULID);
    assertThat(CitedIds.bare("evt:" + ULID)).isEqualTo(ULID);
    assertThat(CitedIds.bare("toc:day:2026-01-30")).isEqualTo("toc:day:2026-01-30");
  }
}
