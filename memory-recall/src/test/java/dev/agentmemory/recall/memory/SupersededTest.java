package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A database that was replaced twice, on three days.
class SupersededTest {

  private static final Instant SECOND_DAY = START.plus(Duration.ofDays(1));
  private static final Instant THIRD_DAY = START.plus(Duration.ofDays(2));
  private static final MemoryFilter WITH_OLD = MemoryFilter.builder().superseded(true).build();

  private final RecallWorld world = new RecallWorld();
  private MemoryRecord mysql;
  private MemoryRecord postgres;
  private MemoryRecord sqlite;

  @BeforeEach
  void begin() {
    mysql = world.remember(draft("the database is mysql").importance(1));
    world.now = SECOND_DAY;
    postgres = world.remember("the database is postgres");
    world.supersede(mysql.id(), postgres.id());
    world.now = THIRD_DAY;
    sqlite = world.remember(draft("the database is sqlite").importance(0.2));
    world.supersede(postgres.id(), sqlite.id());
  }

  @Test
  void search_showsWhatIsCurrent_andSaysWhatItReplaced() {
    List<MemoryHit> hits = world.search(MemorySearch.of("database"));

    assertThat(hits).hasSize(1);
    assertThat(hits.getFirst().memory().id()).isEqualTo(sqlite.id());
    assertThat(hits.getFirst().replaced()).containsExactly(postgres.id(), mysql.id());
    assertThat(world.texts("")).containsExactly("the database is sqlite");
  }

  @Test
  void search_forWhatTheOldOneSays_findsTheCurrentOne() {
    assertThat(world.texts("mysql")).containsExactly("the database is sqlite");
  }

  @Test
  void search_withReplacedOnes_hasTheCurrentOneFirst() {
    assertThat(world.texts(MemorySearch.of("mysql").withFilter(WITH_OLD)))
        .containsExactly("the database is sqlite", "the database is mysql");
    assertThat(world.texts(MemorySearch.of("").withFilter(WITH_OLD)))
        .containsExactly(
            "the database is sqlite", "the database is mysql", "the database is postgres");
  }

  @Test
  void search_asOfATime_answersAsThen() {
    MemorySearch search = MemorySearch.of("database");

    assertThat(world.texts(search.withAsOf(START.minusMillis(1)))).isEmpty();
    assertThat(world.texts(search.withAsOf(START))).containsExactly("the database is mysql");
    assertThat(world.texts(search.withAsOf(SECOND_DAY.minusMillis(1))))
        .containsExactly("the database is mysql");
    List<MemoryHit> then = world.search(search.withAsOf(SECOND_DAY));
    assertThat(then).hasSize(1);
    assertThat(then.getFirst().memory().id()).isEqualTo(postgres.id());
    assertThat(then.getFirst().replaced()).containsExactly(mysql.id());
    assertThat(world.texts(search.withAsOf(THIRD_DAY))).containsExactly("the database is sqlite");
    assertThat(world.texts(search.withFilter(WITH_OLD).withAsOf(SECOND_DAY)))
        .containsExactly("the database is postgres", "the database is mysql");
  }

  @Test
  void list_leavesReplacedOnesOut_unlessTheyAreAskedFor() {
    assertThat(world.memories.list(MemoryFilter.NONE, PageRequest.first()).page().items())
        .extracting(MemoryRecord::id)
        .containsExactly(sqlite.id());
    assertThat(world.memories.list(WITH_OLD, PageRequest.first()).page().items())
        .extracting(MemoryRecord::id)
        .containsExactly(sqlite.id(), postgres.id(), mysql.id());
  }

  @Test
  void links_areThereInANewProcess() {
    world.reopen();
    assertThat(world.search(MemorySearch.of("mysql")).getFirst().replaced())
        .containsExactly(postgres.id(), mysql.id());
  }

  @Test
  void currentOneThatIsDeleted_givesTheOneBeforeItsValidityBack() {
    world.memories.delete(Deletion.of(sqlite.id()), false);

    assertThat(world.texts("database")).containsExactly("the database is postgres");
    assertThat(world.texts(MemorySearch.of("database").withAsOf(START)))
        .containsExactly("the database is mysql");
    world.reopen();
    assertThat(world.search(MemorySearch.of("mysql")).getFirst().replaced())
        .containsExactly(mysql.id());
  }

  @Test
  void replacedOneThatIsDeleted_leavesWhatItReplacedToItsSuccessor() {
    world.memories.delete(Deletion.of(postgres.id()), false);

    assertThat(world.texts("database")).containsExactly("the database is sqlite");
    assertThat(world.search(MemorySearch.of("mysql")).getFirst().replaced())
        .containsExactly(mysql.id());
    assertThat(world.texts(MemorySearch.of("database").withAsOf(SECOND_DAY)))
        .containsExactly("the database is mysql");
  }

  @Test
  void allThatAreDeletedTogether_leaveNothing() {
    world.memories.delete(
        new Deletion(
            Set.of(mysql.id(), postgres.id(), sqlite.id()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            ""),
        false);

    assertThat(world.texts("database")).isEmpty();
  }

  @Test
  void replacementsInACircle_endTheSearch() {
    world.supersede(sqlite.id(), mysql.id());

    assertThat(world.texts("database")).isEmpty();
    assertThat(world.texts(MemorySearch.of("database").withFilter(WITH_OLD))).hasSize(3);
  }
}
