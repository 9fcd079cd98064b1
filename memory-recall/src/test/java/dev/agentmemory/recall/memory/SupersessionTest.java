package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.MemoryId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SupersessionTest {

  private static final List<String> STATEMENTS =
      List.of(
          "We use MySQL for the billing service.",
          "We deploy on Fridays.",
          "We switched to Postgres for the billing service.",
          "We actually use SQLite for the billing service now.",
          "The office closes at six.");

  private final RecallWorld world = new RecallWorld();

  private static Instant day(long number) {
    return START.plus(Duration.ofDays(number));
  }

  private static MemoryDraft statement(int number) {
    return said(number, STATEMENTS.get(number), MemoryPlace.WORKSPACE);
  }

  private static MemoryDraft said(int number, String text, MemoryPlace place) {
    return draft(text)
        .id(id(number + 1))
        .kind(MemoryKind.DECISION)
        .place(place)
        .created(day(number))
        .build();
  }

  private List<MemoryRecord> states() {
    List<MemoryRecord> states = new ArrayList<>();
    for (int i = 0; i < STATEMENTS.size(); i++) {
      states.add(world.workspace.get(id(i + 1)));
    }
    return states;
  }

  @Test
  void newStatement_replacesTheOneThatItContradicts() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0)));
    MemoryRecord newer = world.memories.remember(List.of(statement(2))).getFirst();

    MemoryRecord older = world.workspace.get(id(1));
    assertThat(older.validity().supersededBy()).contains(newer.id());
    assertThat(older.validity().supersededAt()).contains(day(2));
    assertThat(world.memories.history(older.id()).states())
        .extracting(MemoryState::reason)
        .containsExactly("supersession");
    assertThat(world.search(MemorySearch.of("billing")).getFirst().replaced())
        .containsExactly(older.id());
    MemorySearch search = MemorySearch.of("billing");
    assertThat(world.texts(search.withAsOf(day(1)))).containsExactly(STATEMENTS.get(0));
    assertThat(world.texts(search.withAsOf(day(2)))).containsExactly(STATEMENTS.get(2));
  }

  @Seeds(20)
  void anyOrderOfArrival_givesTheSame(RandomGenerator random) {
    world.now = day(10);
    for (int i = 0; i < STATEMENTS.size(); i++) {
      world.memories.remember(List.of(statement(i)));
    }
    List<MemoryRecord> inOrder = states();
    assertThat(inOrder.get(0).validity().supersededBy()).contains(id(3));
    assertThat(inOrder.get(2).validity().supersededBy()).contains(id(4));
    assertThat(inOrder.get(1).validity().supersededBy()).isEmpty();

    List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4));
    Collections.shuffle(order, new Random(random.nextLong()));
    var other = new SupersessionTest();
    other.world.now = day(10);
    int at = 0;
    while (at < order.size()) {
      int end = Math.min(order.size(), at + 1 + random.nextInt(3));
      other.world.memories.remember(
          order.subList(at, end).stream().map(SupersessionTest::statement).toList());
      at = end;
    }
    assertThat(other.states()).isEqualTo(inOrder);
    other.world.reopen();
    assertThat(other.states()).isEqualTo(inOrder);
  }

  @Test
  void otherScope_isLeftAlone() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0)));
    world.memories.remember(List.of(said(2, STATEMENTS.get(2), MemoryPlace.conversation(SESSION))));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).isEmpty();
  }

  @Test
  void sameTime_replacesNothing() {
    world.now = day(10);
    world.remember(STATEMENTS.get(0));
    world.remember(STATEMENTS.get(2));

    assertThat(world.texts("billing")).hasSize(2);
  }

  @Test
  void kindConversationAndTextsWithoutVerb_takeNoPart() {
    world.remember(draft("How do I pay the billing service?").kind(MemoryKind.CONVERSATION));
    world.remember("the blue billing folder 1");
    world.now = day(1);
    world.remember(draft("How do I call the billing service?").kind(MemoryKind.CONVERSATION));
    world.remember("the blue billing folder 2");

    assertThat(world.texts("billing")).hasSize(4);
  }

  @Test
  void pinnedOne_keepsItsPin() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0)));
    world.memories.pin(id(1), true);
    world.memories.remember(List.of(statement(2)));

    MemoryRecord older = world.workspace.get(id(1));
    assertThat(older.pinned()).isTrue();
    assertThat(older.validity().supersededBy()).contains(id(3));
  }

  @Test
  void droppedByUpkeep_leavesWhatItReplacedAsItIs() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0)));
    world.memories.remember(List.of(statement(2)));
    world.workspace.commit(new MemoryBatch().drop(id(3), day(10), "irrelevant"));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).contains(id(3));
  }

  private void say(MemoryId id, String text) {
    var _ = world.update(id, update -> update.withContent(MemoryContent.of(text)));
  }

  private List<String> reasons(MemoryId id) {
    return world.memories.history(id).states().stream().map(MemoryState::reason).toList();
  }

  @Test
  void update_thatContradictsAnotherOne_replacesIt_asANewOneDoes() {
    world.now = day(10);
    world.memories.remember(List.of(statement(1)));
    world.memories.remember(List.of(said(2, STATEMENTS.get(0), MemoryPlace.WORKSPACE)));
    say(id(2), STATEMENTS.get(2));

    MemoryRecord older = world.workspace.get(id(3));
    assertThat(older.validity().supersededBy()).contains(id(2));
    assertThat(older.validity().supersededAt()).contains(day(10));
    assertThat(world.workspace.get(id(2)).validity().validFrom()).isEqualTo(day(10));
    assertThat(world.workspace.get(id(2)).validity().created()).isEqualTo(day(1));
    assertThat(world.texts("billing")).containsExactly(STATEMENTS.get(2));
    assertThat(world.texts(MemorySearch.of("billing").withAsOf(day(9))))
        .containsExactly(STATEMENTS.get(0));
    assertThat(reasons(id(2))).containsExactly("update");
    assertThat(reasons(id(3))).containsExactly("supersession");
    world.reopen();
    assertThat(world.workspace.get(id(3))).isEqualTo(older);
    assertThat(world.texts("billing")).containsExactly(STATEMENTS.get(2));
  }

  @Test
  void update_thatContradictsItsFormerText_doesNotReplaceItself_andIsValidFromNow() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0)));
    say(id(1), STATEMENTS.get(2));

    MemoryRecord memory = world.workspace.get(id(1));
    assertThat(memory.validity().supersededBy()).isEmpty();
    assertThat(memory.validity().validFrom()).isEqualTo(day(10));
    assertThat(reasons(id(1))).containsExactly("update");
    assertThat(world.texts(MemorySearch.of("billing").withAsOf(day(9)))).isEmpty();
  }

  @Test
  void update_ofAReplacedOneToANewStatement_makesItTheCurrentOne() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0), statement(2)));
    say(id(1), STATEMENTS.get(3));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).isEmpty();
    assertThat(world.workspace.get(id(3)).validity().supersededBy()).contains(id(1));
    assertThat(world.texts("billing")).containsExactly(STATEMENTS.get(3));
  }

  @Test
  void update_thatCorrectsAWord_changesNoValidity() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0), statement(2)));
    say(id(1), "We use MySQL for the billing service!");
    say(id(3), "We switched to Postgres for the billing service!");

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).contains(id(3));
    assertThat(world.workspace.get(id(1)).validity().supersededAt()).contains(day(2));
    assertThat(world.workspace.get(id(3)).validity().supersededBy()).isEmpty();
    assertThat(world.workspace.get(id(3)).validity().validFrom()).isEqualTo(day(2));
  }

  @Test
  void update_thatContradictsNothingAnyMore_givesWhatItReplacedItsValidityBack() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0), statement(2)));
    say(id(3), STATEMENTS.get(4));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).isEmpty();
    assertThat(reasons(id(1))).containsExactly("supersession");
    assertThat(world.texts("billing")).containsExactly(STATEMENTS.get(0));
  }

  @Test
  void update_ofAReplacedOneThatIsAboutSomethingElse_isCurrent() {
    world.now = day(10);
    world.memories.remember(List.of(statement(0), statement(2)));
    say(id(1), STATEMENTS.get(4));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).isEmpty();
    assertThat(world.texts("office")).containsExactly(STATEMENTS.get(4));
  }

  @Test
  void update_ofTheKindToAStatement_isReplacedByTheLaterOne() {
    world.now = day(10);
    world.memories.remember(
        List.of(
            draft(STATEMENTS.get(0))
                .id(id(1))
                .kind(MemoryKind.CONVERSATION)
                .created(day(0))
                .build(),
            statement(2)));
    assertThat(world.workspace.get(id(1)).validity().supersededBy()).isEmpty();
    world.update(id(1), update -> update.withKind(MemoryKind.DECISION));

    assertThat(world.workspace.get(id(1)).validity().supersededBy()).contains(id(3));
    assertThat(world.workspace.get(id(1)).validity().validFrom()).isEqualTo(day(0));
  }
}
