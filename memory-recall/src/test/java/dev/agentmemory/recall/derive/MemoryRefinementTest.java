package dev.agentmemory.recall.derive;

import static dev.agentmemory.recall.derive.ExtractionWorld.at;
import static dev.agentmemory.recall.derive.ExtractionWorld.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.derive.StatementRefiner.Answer;
import dev.agentmemory.recall.derive.StatementRefiner.Claim;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a model that revises extraction can change, and what it cannot.
class MemoryRefinementTest {

  private static final String POSTGRES = "We decided to use Postgres for the billing service.";
  private static final String TABS = "I always prefer tabs over spaces in my code.";
  private static final String CRASH = "The crash comes from the retry loop.";
  private static final String GERMAN = "Die Rechnungen laufen ab jetzt nachts.";

  private final ExtractionWorld world = new ExtractionWorld();
  private final Scripted refiner = new Scripted();

  private final Event first = says("s1", 0, POSTGRES + " " + GERMAN);
  private final Event second = says("s1", 10, TABS);

  /// Answers with what the test has set, and notes what it is asked.
  private static final class Scripted implements StatementRefiner {

    private final List<List<Turn>> asked = new ArrayList<>();
    private boolean ready = true;
    private boolean interrupted;
    private int room = 100;
    private Optional<List<Claim>> claims = Optional.of(List.of());
    private List<ModelCall> calls = List.of();

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public Answer refine(NodeId segment, List<Turn> turns) {
      asked.add(turns);
      if (interrupted) {
        return new Answer.Interrupted(calls);
      }
      return claims
          .<Answer>map(all ->
              new Answer.Claims(
                  turns.stream().limit(room).map(Turn::event).collect(Collectors.toSet()),
                  all,
                  0,
                  calls))
          .orElseGet(() -> new Answer.Nothing(calls));
    }

    void claim(Claim... all) {
      claims = Optional.of(Arrays.asList(all));
    }
  }

  MemoryRefinementTest() {
    world.refiner = refiner;
    world.reopen();
  }

  private static Claim decision(Event event, String excerpt) {
    return new Claim(event.id(), excerpt, "decision", 0.8);
  }

  private RefinementCounts step() {
    return world.extraction.step(50).refined();
  }

  @Test
  void claims_replaceWhatTheRulesFind() {
    refiner.claim(new Claim(first.id(), GERMAN, "finding", 0.777), decision(second, TABS));
    world.segment(Boundary.GAP, first, second);

    assertThat(step()).isEqualTo(new RefinementCounts(1, 0, 0));
    assertThat(world.texts()).containsExactly(GERMAN, TABS);
    MemoryRecord memory = world.all().getFirst();
    assertThat(memory.kind()).isEqualTo(MemoryKind.FINDING);
    assertThat(memory.importance()).isEqualTo(0.78);
    assertThat(memory.links().events()).containsExactly(first.id());
    assertThat(memory.source()).isEqualTo("extraction");
    assertThat(memory.validity().created()).isEqualTo(at(0));
  }

  @Test
  void question_hasTurnsOfPersonsAndAssistants_withTheStatementsOfTheRules() {
    world.segment(
        Boundary.GAP,
        first,
        TestEvents.event("s1", at(1), EventType.TOOL_RESULT, EventRole.TOOL, CRASH),
        TestEvents.event("s1", at(2), EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, CRASH),
        says("s1", 3, RecalledText.wrap(POSTGRES)),
        says("s1", 4, RecalledText.wrap(POSTGRES) + "\n\n" + TABS),
        says("s1", 5, "Stop hook feedback: " + POSTGRES));
    var _ = step();

    List<StatementRefiner.Turn> turns = refiner.asked.getFirst();
    assertThat(turns).hasSize(3);
    assertThat(turns.get(0).event()).isEqualTo(first.id());
    assertThat(turns.get(0).person()).isTrue();
    assertThat(turns.get(0).statements())
        .extracting(statement -> statement.text())
        .containsExactly(POSTGRES);
    assertThat(turns.get(1).person()).isFalse();
    assertThat(turns.get(2).text()).contains(TABS).doesNotContain("Postgres");
  }

  @Test
  void recutSegment_asksNothingAgain_andChangesNothing() {
    refiner.claim(decision(first, GERMAN));
    Segment whole = world.segment(Boundary.GAP, first, second);
    var _ = step();
    List<MemoryRecord> before = world.all();

    refiner.claim();
    world.retire(whole);
    world.cut(Boundary.TOKENS, first);
    world.cut(Boundary.GAP, second);
    assertThat(world.extractAll()).isZero();
    world.reopen();
    assertThat(world.extractAll()).isZero();
    assertThat(world.extraction.lastExtraction(new SessionId("s1"))).isZero();

    assertThat(refiner.asked).hasSize(1);
    assertThat(world.texts()).containsExactly(GERMAN);
    assertThat(world.all()).isEqualTo(before);
  }

  @Test
  void revisedTurns_stayRevised_whenNoModelIsConfiguredAnyMore() {
    refiner.claim(decision(first, GERMAN));
    world.segment(Boundary.GAP, first);
    var _ = step();

    world.refiner = StatementRefiner.NONE;
    world.reopen();
    world.append(second);
    world.cut(Boundary.GAP, first, second);
    assertThat(world.extractAll()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(GERMAN, TABS);
  }

  @Test
  void lateEvent_isAskedAboutAlone() {
    world.segment(Boundary.GAP, first);
    var _ = step();
    world.append(second);
    world.cut(Boundary.GAP, first, second);
    var _ = step();

    assertThat(refiner.asked.getLast())
        .extracting(StatementRefiner.Turn::event)
        .containsExactly(second.id());
  }

  /// The answer, the memories, and the note that the segment is done are a commit each.
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void crashAfterTheAnswer_asksNothingAgain(int failing) {
    refiner.claim(decision(first, GERMAN));
    var commits = new AtomicInteger();
    world.store =
        InterceptedStore.of(
            world.heap,
            (method, _, call) -> {
              if (method.equals("commit") && commits.incrementAndGet() >= failing) {
                throw new MemoryException(ErrorCode.DISK_FULL, "the disk is full");
              }
              return call.make();
            });
    world.reopen();
    world.segment(Boundary.GAP, first);
    assertThatThrownBy(this::step).isInstanceOf(MemoryException.class);

    world.store = world.heap;
    refiner.claim(decision(first, POSTGRES));
    world.reopen();
    var _ = world.extractAll();
    assertThat(refiner.asked).hasSize(1);
    assertThat(world.texts()).containsExactly(GERMAN);
  }

  @Test
  void answer_isInOneCommitWithTheLedger() {
    refiner.calls = List.of(call());
    refiner.claim(decision(first, GERMAN));
    List<Commit> commits = new ArrayList<>();
    world.store =
        InterceptedStore.of(
            world.heap,
            (method, arguments, call) -> {
              if (method.equals("commit")) {
                commits.add((Commit) arguments[0]);
              }
              return call.make();
            });
    world.reopen();
    world.segment(Boundary.GAP, first);
    var _ = step();

    assertThat(commits.getFirst().changes())
        .hasSize(2)
        .anyMatch(change -> change instanceof Change.PutRecord)
        .anyMatch(change -> change.equals(new Change.RecordCall(refiner.calls.getFirst())));
  }

  private static ModelCall call() {
    return new ModelCall(
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        Instant.ofEpochMilli(1_469_918_176_385L),
        "memory_extraction",
        Optional.empty(),
        "openai/small",
        10,
        5,
        Duration.ofMillis(3),
        ModelCall.Outcome.SUCCESS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Die Rechnungen laufen ab jetzt abends.|decision|0.8",
        "die Rechnungen laufen ab jetzt nachts.|decision|0.8",
        "Rechnungen laufen ab jetzt nacht|decision|0.8",
        "ostgres for the billing service.|decision|0.8",
        "jetzt nachts.|decision|0.8",
        "''|decision|0.8",
        "Die Rechnungen laufen ab jetzt nachts.|observation|0.8",
        "Die Rechnungen laufen ab jetzt nachts.|''|0.8",
        "Die Rechnungen laufen ab jetzt nachts.|decision|1.01",
        "Die Rechnungen laufen ab jetzt nachts.|decision|-0.1",
        "Die Rechnungen laufen ab jetzt nachts.|decision|NaN",
        "for the billing service. Die Rechnungen|decision|0.8",
      })
  void claimThatDoesNotHold_isDroppedAndCounted(String excerpt, String kind, double importance) {
    refiner.claim(decision(first, POSTGRES), new Claim(first.id(), excerpt, kind, importance));
    world.segment(Boundary.GAP, first);

    assertThat(step()).isEqualTo(new RefinementCounts(1, 0, 1));
    assertThat(world.texts()).containsExactly(POSTGRES);
  }

  @Test
  void claimAboutWhatNobodySaid_isDropped() {
    Event tool = TestEvents.event("s1", at(1), EventType.TOOL_RESULT, EventRole.TOOL, CRASH);
    Event program = says("s1", 2, "Stop hook feedback: " + CRASH);
    Event recalled = says("s1", 3, RecalledText.wrap(CRASH) + "\n\nThanks for that.");
    Event other = says("s2", 4, CRASH);
    world.append(other);
    refiner.claim(
        decision(first, POSTGRES),
        decision(tool, CRASH),
        decision(program, CRASH),
        decision(recalled, CRASH),
        decision(recalled, "recalled| " + CRASH),
        decision(other, CRASH),
        decision(second, POSTGRES));
    world.segment(Boundary.GAP, first, tool, program, recalled, second);

    assertThat(step().dropped()).isEqualTo(6);
    assertThat(world.texts()).containsExactly(POSTGRES);
  }

  @Test
  void additions_areLimitedInLengthAndNumber() {
    String line = "the value %d is set here. ";
    var text = new StringBuilder();
    for (int i = 10; i < 40; i++) {
      text.append(line.formatted(i));
    }
    Event many = says("s1", 0, text.toString().strip());
    List<Claim> claims = new ArrayList<>();
    claims.add(decision(many, many.text().substring(0, ClaimedStatements.LONGEST + 20).strip()));
    for (int i = 10; i < 40; i++) {
      claims.add(decision(many, line.formatted(i).strip()));
    }
    refiner.claims = Optional.of(claims);
    world.segment(Boundary.GAP, many);

    assertThat(step().dropped()).isEqualTo(31 - ClaimedStatements.MOST_ADDED);
    assertThat(world.texts()).hasSize(ClaimedStatements.MOST_ADDED);
  }

  @Test
  void answerOfWhichNothingHolds_leavesTheRules() {
    refiner.claim(decision(first, "We use Oracle for everything."));
    world.segment(Boundary.GAP, first, second);

    assertThat(step()).isEqualTo(new RefinementCounts(1, 1, 1));
    assertThat(world.texts()).containsExactly(POSTGRES, TABS);
  }

  @Test
  void emptyAnswer_meansThatNothingIsWorthRemembering() {
    world.segment(Boundary.GAP, first, second);

    assertThat(step()).isEqualTo(new RefinementCounts(1, 0, 0));
    assertThat(world.texts()).isEmpty();
  }

  @Test
  void turnThatWasNotShown_keepsWhatTheRulesFind() {
    refiner.room = 1;
    refiner.claim(decision(first, GERMAN), decision(second, "tabs over spaces"));
    world.segment(Boundary.GAP, first, second);

    assertThat(step()).isEqualTo(new RefinementCounts(1, 0, 1));
    assertThat(world.texts()).containsExactly(GERMAN, TABS);
  }

  @Test
  void noAnswer_leavesTheRules_andIsNotAskedForAgain() {
    refiner.claims = Optional.empty();
    world.segment(Boundary.GAP, first, second);
    assertThat(step()).isEqualTo(new RefinementCounts(1, 1, 0));
    assertThat(world.texts()).containsExactly(POSTGRES, TABS);

    refiner.claim();
    world.reopen();
    assertThat(world.extractAll()).isZero();
    world.cut(Boundary.TOKENS, first);
    world.cut(Boundary.GAP, second);
    assertThat(world.extractAll()).isZero();
    assertThat(refiner.asked).hasSize(1);
    assertThat(world.texts()).containsExactly(POSTGRES, TABS);
  }

  @Test
  void modelThatIsNotReady_isNotAsked() {
    refiner.ready = false;
    world.segment(Boundary.GAP, first);

    assertThat(world.extraction.asksModel()).isFalse();
    assertThat(step()).isEqualTo(RefinementCounts.NONE);
    assertThat(refiner.asked).isEmpty();
    assertThat(world.texts()).containsExactly(POSTGRES);
  }

  @Test
  void deletedStatement_ofTheRules_doesNotComeBackInOtherWords() {
    refiner.ready = false;
    Segment segment = world.segment(Boundary.GAP, first);
    var _ = step();
    world.memories.commit(new MemoryBatch().forget(world.all().getFirst().id(), at(60), "wrong"));

    refiner.ready = true;
    refiner.claim(decision(first, "use Postgres for the billing service."));
    world.append(second);
    world.retire(segment);
    world.cut(Boundary.GAP, first, second);
    var _ = step();
    assertThat(refiner.asked.getLast())
        .extracting(StatementRefiner.Turn::event)
        .containsExactly(second.id());
    assertThat(world.texts()).doesNotContain("use Postgres for the billing service.");
  }

  @Test
  void deletedStatement_ofTheModel_doesNotComeBack() {
    refiner.claim(decision(first, GERMAN));
    world.segment(Boundary.GAP, first);
    var _ = step();
    world.memories.commit(new MemoryBatch().forget(world.all().getFirst().id(), at(60), "wrong"));

    world.append(second);
    world.cut(Boundary.GAP, first, second);
    refiner.claim(decision(second, TABS));
    var _ = step();
    assertThat(world.texts()).containsExactly(TABS);
  }

  @Test
  void interruptedQuestion_leavesTheSegmentForTheNextStep() {
    refiner.interrupted = true;
    world.segment(Boundary.GAP, first);
    MemoryExtraction.Step step = world.extraction.step(50);
    assertThat(step.segments()).isZero();
    assertThat(world.texts()).isEmpty();
    assertThat(world.extraction.isPending()).isTrue();

    refiner.interrupted = false;
    refiner.claim(decision(first, GERMAN));
    assertThat(world.extraction.step(50).segments()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(GERMAN);
  }

  @Test
  void lastExtraction_asksNothing() {
    world.segment(Boundary.GAP, first);
    world.append(second);
    world.cut(Boundary.OPEN, second);

    assertThat(world.extraction.lastExtraction(new SessionId("s1"))).isEqualTo(2);
    assertThat(refiner.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}",
        "{\"statements\":[{}]}",
        "{\"statements\":[{\"start\":5,\"length\":900,\"kind\":\"finding\",\"importance\":0.5}]}",
        "{\"statements\":[{\"start\":0,\"length\":9,\"kind\":\"secret\",\"importance\":0.5}]}",
        "{\"statements\":[{\"start\":0,\"length\":9,\"kind\":\"finding\",\"importance\":7}]}",
      })
  void rowThatCannotBeRead_countsAsAbsent(String row) {
    EventId id = first.id();
    world.heap.commit(
        Commit.of(
            new Change.PutRecord(new StoredRecord("extract:refined:s1\0" + id.value(), row))));
    refiner.ready = false;
    world.segment(Boundary.GAP, first);
    var _ = step();
    assertThat(world.texts()).containsExactly(POSTGRES);
  }
}
