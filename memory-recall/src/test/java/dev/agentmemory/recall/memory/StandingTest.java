package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StandingTest {

  private final RecallWorld world = new RecallWorld();

  private MemoryStanding standing(MemoryId memory) {
    List<MemoryStanding> found = world.memories.of(List.of(memory), Optional.empty());
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void relevance_isThatOfASearch() {
    MemoryRecord memory = world.remember(draft("use RocksDB").kind(MemoryKind.DECISION));
    world.now = START.plus(Duration.ofDays(20));
    MemoryHit hit = world.search(MemorySearch.of("").explained()).getFirst();
    MemoryStanding standing = standing(memory.id());
    assertThat(standing.memory()).isEqualTo(hit.memory());
    assertThat(standing.why()).isEqualTo(hit.why());
    assertThat(standing.relevance()).isEqualTo(hit.relevance());
  }

  @Test
  void law_givesTheDecayOfAnyTime() {
    MemoryRecord decision = world.remember(draft("use RocksDB").kind(MemoryKind.DECISION));
    MemoryRecord observation = world.remember(draft("it rains"));
    MemoryRecord preference = world.remember(draft("in German").kind(MemoryKind.PREFERENCE));
    assertThat(standing(decision.id()).decay().halfLife()).isEqualTo(Duration.ofHours(720));
    assertThat(standing(decision.id()).decay().since()).isEqualTo(START);
    assertThat(standing(preference.id()).decay().decays()).isFalse();
    for (MemoryRecord memory : List.of(decision, observation, preference)) {
      MemoryStanding now = standing(memory.id());
      for (int days = 0; days <= 400; days += 7) {
        Instant then = START.plus(Duration.ofDays(days));
        MemoryStanding later =
            world.memories.of(List.of(memory.id()), Optional.of(then)).getFirst();
        assertThat(now.decay().at(then)).isEqualTo(later.why().decay(), within(1e-6));
      }
    }
  }

  @Test
  void inspection_isNoAccess() {
    MemoryRecord memory = world.remember("use RocksDB");
    world.now = START.plusSeconds(60);
    var _ = standing(memory.id());
    assertThat(standing(memory.id()).memory().use().count()).isZero();
    var _ = world.memories.get(memory.id());
    assertThat(standing(memory.id()).memory().use().count()).isEqualTo(1);
    assertThat(standing(memory.id()).decay().since()).isEqualTo(world.now);
  }

  @Test
  void memoryThatIsNotThere_isLeftOut_andEachIsThereOnce() {
    MemoryRecord one = world.remember("one");
    MemoryRecord two = world.remember("two");
    List<MemoryStanding> found =
        world.memories.of(List.of(two.id(), id(99), one.id(), two.id()), Optional.empty());
    assertThat(found)
        .extracting(standing -> standing.memory().id())
        .containsExactly(two.id(), one.id());
  }

  @Test
  void tooManyIds_areRefused() {
    List<MemoryId> ids = Collections.nCopies(Standings.MOST + 1, id(1));
    assertThatThrownBy(() -> world.memories.of(ids, Optional.empty()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).hasValue("memory_ids"));
  }

  @Test
  void replacedMemories_areToldAsOfATime() {
    MemoryRecord old = world.remember("use MySQL");
    world.now = START.plus(Duration.ofDays(1));
    MemoryRecord current = world.remember("use RocksDB");
    world.supersede(old.id(), current.id());
    assertThat(standing(current.id()).replaced()).containsExactly(old.id());
    assertThat(standing(old.id()).memory().validity().supersededBy()).contains(current.id());
    assertThat(
            world
                .memories
                .of(List.of(current.id()), Optional.of(START.plusSeconds(1)))
                .getFirst()
                .replaced())
        .isEmpty();
  }

  @Test
  void list_asOfATime_hasWhatWasTrueThen() {
    MemoryRecord old = world.remember("use MySQL");
    world.now = START.plus(Duration.ofDays(1));
    MemoryRecord current = world.remember("use RocksDB");
    world.supersede(old.id(), current.id());
    assertThat(listed(MemoryFilter.NONE, START)).containsExactly("use MySQL");
    assertThat(listed(MemoryFilter.NONE, world.now)).containsExactly("use RocksDB");
    assertThat(listed(MemoryFilter.NONE, START.minusSeconds(1))).isEmpty();
    assertThat(listed(MemoryFilter.builder().superseded(true).build(), world.now))
        .containsExactly("use RocksDB", "use MySQL");
  }

  private List<String> listed(MemoryFilter filter, Instant asOf) {
    return world.memories.list(filter, asOf, PageRequest.first()).page().items().stream()
        .map(memory -> memory.content().text())
        .toList();
  }

  @Test
  void memoryOfTheAccount_stands() {
    MemoryRecord memory =
        world.remember(draft("in German").kind(MemoryKind.PREFERENCE).place(MemoryPlace.account()));
    assertThat(standing(memory.id()).memory().place().scope()).isEqualTo(MemoryScope.ACCOUNT);
    assertThat(world.memories.has(memory.id())).isTrue();
    assertThat(world.memories.has(id(99))).isFalse();
  }
}
