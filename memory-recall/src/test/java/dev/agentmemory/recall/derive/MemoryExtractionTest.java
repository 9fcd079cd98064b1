package dev.agentmemory.recall.derive;

import static dev.agentmemory.recall.derive.ExtractionWorld.at;
import static dev.agentmemory.recall.derive.ExtractionWorld.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemoryExtractionTest {

  private static final String POSTGRES = "We decided to use Postgres for the billing service.";
  private static final String TABS = "I always prefer tabs over spaces in my code.";
  private static final String DEPLOY = "We decided to deploy the frontend from the release branch.";

  private final ExtractionWorld world = new ExtractionWorld();

  private final Event first = says("s1", 0, POSTGRES);
  private final Event second = says("s1", 10, TABS);
  private final Event third = says("s2", 20, DEPLOY);

  @Test
  void closedSegment_givesMemoriesWithEvidence() {
    Segment segment = world.segment(Boundary.GAP, first);

    assertThat(world.extractAll()).isEqualTo(1);
    MemoryRecord memory = world.all().getFirst();
    assertThat(memory.content().text()).isEqualTo(POSTGRES);
    assertThat(memory.source()).isEqualTo("extraction");
    assertThat(memory.lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
    assertThat(memory.place().scope()).isEqualTo(MemoryScope.WORKSPACE);
    assertThat(memory.place().session()).contains(segment.session());
    assertThat(memory.place().channel()).contains(ExtractionWorld.BACKEND);
    assertThat(memory.links().events()).containsExactly(first.id());
    assertThat(memory.validity().created()).isEqualTo(at(0));
    assertThat(memory.validity().validFrom()).isEqualTo(at(0));
  }

  @Test
  void openSegment_givesNone_untilItIsClosed() {
    world.segment(Boundary.OPEN, first);
    assertThat(world.extractAll()).isZero();

    world.cut(Boundary.GAP, first);
    assertThat(world.extractAll()).isEqualTo(1);
  }

  @Test
  void recutAndReopenedSegments_doubleNothing() {
    Segment whole = world.segment(Boundary.GAP, first, second);
    assertThat(world.extractAll()).isEqualTo(2);
    List<MemoryRecord> before = world.all();

    world.retire(whole);
    world.cut(Boundary.TOKENS, first);
    world.cut(Boundary.OPEN, second);
    assertThat(world.extractAll()).isZero();
    world.cut(Boundary.GAP, second);
    assertThat(world.extractAll()).isZero();

    assertThat(world.all()).isEqualTo(before);
  }

  @Test
  void lateEvent_inAClosedSegment_isRead() {
    world.segment(Boundary.GAP, first);
    var _ = world.extractAll();
    world.append(second);
    world.cut(Boundary.GAP, first, second);

    assertThat(world.extractAll()).isEqualTo(1);
  }

  @Test
  void newProcess_continuesWhereNothingWasNoted_andReadsNothingTwice() {
    world.segment(Boundary.GAP, first);
    var _ = world.extractAll();
    world.segment(Boundary.GAP, third);
    world.cut(Boundary.OPEN, third);
    world.cut(Boundary.GAP, third);
    world.reopen();

    assertThat(world.extraction.isPending()).isTrue();
    assertThat(world.extraction.step(50).segments()).isEqualTo(1);
    assertThat(world.extraction.step(50).segments()).isZero();
    assertThat(world.extraction.isPending()).isFalse();
    assertThat(world.texts()).containsExactly(POSTGRES, DEPLOY);
  }

  @Test
  void existingStore_isReadFromItsLatestSegmentsOn() {
    world.segment(Boundary.GAP, first);
    world.segment(Boundary.GAP, second);
    world.segment(Boundary.GAP, third);
    world.reopen();

    assertThat(world.extraction.step(1))
        .isEqualTo(new MemoryExtraction.Step(1, 1, RefinementCounts.NONE));
    assertThat(world.texts()).containsExactly(DEPLOY);
    assertThat(world.extraction.step(1))
        .isEqualTo(new MemoryExtraction.Step(1, 1, RefinementCounts.NONE));
    assertThat(world.texts()).containsExactly(TABS, DEPLOY);
    assertThat(world.extractAll()).isEqualTo(1);
  }

  @Test
  void memoryThatItsQuotaRefuses_isCounted_andExtractedOnceThereIsSpace() {
    world.mostBytes = 0;
    world.segment(Boundary.GAP, first);
    world.segment(Boundary.GAP, third);
    world.reopen();

    assertThat(world.extractAll()).isZero();
    assertThat(world.extraction.refused()).isEqualTo(2);

    world.mostBytes = Long.MAX_VALUE;
    world.reopen();
    assertThat(world.extractAll()).isEqualTo(2);
    assertThat(world.extraction.refused()).isZero();
    world.reopen();
    assertThat(world.extraction.step(50).segments()).isZero();
  }

  @Test
  void crashAtAnyCommit_losesNothingAndDoublesNothing() {
    world.segment(Boundary.GAP, first);
    world.segment(Boundary.GAP, second);
    world.segment(Boundary.GAP, third);
    for (int failing = 1; failing <= 4; failing++) {
      int last = failing;
      var commits = new AtomicInteger();
      world.store =
          InterceptedStore.of(
              world.heap,
              (method, _, call) -> {
                if (method.equals("commit") && commits.incrementAndGet() >= last) {
                  throw new MemoryException(ErrorCode.DISK_FULL, "the disk is full");
                }
                return call.make();
              });
      world.reopen();
      try {
        var _ = world.extractAll();
      } catch (MemoryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
      }
    }
    world.store = world.heap;
    world.reopen();
    var _ = world.extractAll();

    assertThat(world.texts()).containsExactly(POSTGRES, TABS, DEPLOY);
    assertThat(world.extraction.isPending()).isFalse();
  }

  @Test
  void manyMemoriesOfAStep_areCommittedAFewAtATime() {
    Set<String> written = new HashSet<>();
    List<Integer> added = new ArrayList<>();
    world.store =
        InterceptedStore.of(
            world.heap,
            (method, arguments, call) -> {
              if (method.equals("commit")) {
                int before = written.size();
                written.addAll(memories((Commit) arguments[0]));
                added.add(written.size() - before);
              }
              return call.make();
            });
    world.reopen();
    int count = 2 * MemoryExtraction.COMMITTED + 1;
    world.segment(
        Boundary.GAP,
        IntStream.range(0, count)
            .mapToObj(i -> says("s1", i, "We decided to keep table %d in Postgres.".formatted(i)))
            .toArray(Event[]::new));

    assertThat(world.extractAll()).isEqualTo(count);
    assertThat(added).allMatch(memories -> memories <= MemoryExtraction.COMMITTED);
    assertThat(written).hasSize(count);
  }

  /// The keys of the memories that a commit writes.
  private static List<String> memories(Commit commit) {
    return commit.changes().stream()
        .flatMap(change ->
            change instanceof Change.PutRecord put ? Stream.of(put.row().key()) : Stream.empty())
        .filter(key -> key.startsWith("memory:"))
        .toList();
  }

  @Test
  void stepThatFails_isRepeatedByTheSameProcess() {
    var full = new AtomicInteger(1);
    world.store =
        InterceptedStore.of(
            world.heap,
            (method, _, call) -> {
              if (method.equals("commit") && full.getAndDecrement() > 0) {
                throw new MemoryException(ErrorCode.DISK_FULL, "the disk is full");
              }
              return call.make();
            });
    world.reopen();
    world.segment(Boundary.GAP, first);

    assertThatThrownBy(world::extractAll).isInstanceOf(MemoryException.class);
    assertThat(world.extraction.isPending()).isTrue();
    assertThat(world.extractAll()).isEqualTo(1);
  }

  @Test
  void deletedMemory_doesNotComeBack() {
    world.segment(Boundary.GAP, first);
    var _ = world.extractAll();
    world.memories.commit(new MemoryBatch().forget(world.all().getFirst().id(), at(60), "wrong"));

    world.append(second);
    world.cut(Boundary.GAP, first, second);
    // The same text in another event.
    world.segment(Boundary.GAP, says("s3", 30, POSTGRES));
    assertThat(world.extractAll()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(TABS);
  }

  @Test
  void textDeletedFromItsConversation_isNotExtractedForTheWorkspace() {
    var stated =
        MemoryDraft.builder(MemoryContent.of(POSTGRES))
            .place(MemoryPlace.conversation(first.session()));
    world.memories.addMissing(List.of(stated.build()));
    world.memories.commit(new MemoryBatch().forget(world.all().getFirst().id(), at(5), "private"));

    world.segment(Boundary.GAP, first, second);
    assertThat(world.extractAll()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(TABS);
  }

  @Test
  void textsThatNobodySaid_giveNone() {
    world.segment(
        Boundary.GAP,
        TestEvents.event("s1", at(0), EventType.TOOL_RESULT, EventRole.TOOL, POSTGRES),
        TestEvents.event("s1", at(1), EventType.USER_MESSAGE, EventRole.SYSTEM, POSTGRES),
        says("s1", 2, RecalledText.wrap(POSTGRES)),
        says("s1", 3, "Stop hook feedback: " + POSTGRES),
        says("s1", 4, "# AGENTS.md\n\n" + POSTGRES),
        says("s1", 5, "<system-reminder>\n" + POSTGRES + "\n</system-reminder>"),
        TestEvents.end("s1", at(6)));

    assertThat(world.extractAll()).isZero();
  }

  @Test
  void textBesideRecalledText_isRead() {
    world.segment(Boundary.GAP, says("s1", 2, RecalledText.wrap(POSTGRES) + "\n\n" + TABS));

    assertThat(world.extractAll()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(TABS);
  }

  @Test
  void lastExtraction_readsWhatNoClosedSegmentHas() {
    world.segment(Boundary.GAP, first);
    world.append(second);
    world.cut(Boundary.OPEN, second);
    world.append(third);

    assertThat(world.extraction.lastExtraction(new SessionId("s1"))).isEqualTo(2);
    assertThat(world.extraction.lastExtraction(new SessionId("s1"))).isZero();
    assertThat(world.extraction.lastExtraction(new SessionId("s2"))).isEqualTo(1);
    assertThat(world.extraction.lastExtraction(new SessionId("unknown"))).isZero();
  }

  @Test
  void eventsInNoClosedSegment_areLeft_untilTheLastExtraction() {
    SessionId session = new SessionId("s1");
    world.segment(Boundary.GAP, first);
    assertThat(world.extraction.isLeft(session)).as("a step reads it").isFalse();
    var _ = world.extractAll();
    assertThat(world.extraction.isLeft(session)).as("all is read").isFalse();

    world.append(second);
    assertThat(world.extraction.isLeft(session)).isTrue();
    assertThat(world.extraction.lastExtraction(session)).isEqualTo(1);
    assertThat(world.extraction.isLeft(session)).isFalse();
    world.cut(Boundary.GAP, second);
    var _ = world.extractAll();
    world.append(says("s1", 90, "We decided to use Redis for the cache."));
    assertThat(world.extraction.isLeft(session)).isTrue();
    assertThat(world.extraction.isLeft(new SessionId("unknown"))).isFalse();
  }

  @Test
  void olderStatementThatArrivesLater_isReplacedAlready() {
    Event old = says("s1", 0, "We decided to use MySQL for the billing service.");
    Event newer =
        says("s2", 600, "We decided to switch the billing service from MySQL to Postgres.");
    world.segment(Boundary.GAP, newer);
    var _ = world.extractAll();
    world.segment(Boundary.GAP, old);
    var _ = world.extractAll();

    assertThat(world.current()).containsExactly(newer.text());
    MemoryRecord replaced = world.all().getFirst();
    assertThat(replaced.validity().supersededAt()).contains(at(600));
    assertThat(replaced.validity().supersededBy()).contains(world.all().getLast().id());
  }

  /// Erases an event and its segment, as an erasure does, once its text was read.
  private void eraseAfterReading(Event event, Segment segment) {
    var read = new AtomicBoolean();
    world.store =
        InterceptedStore.of(
            world.heap,
            (method, _, call) -> {
              Object result = call.make();
              if (result instanceof EventSlice && read.compareAndSet(false, true)) {
                Event stored = world.heap.events().event(event.id()).orElseThrow();
                world.heap.commit(
                    Commit.of(
                        new Change.EraseEvent(stored.session(), stored.key(), /* barred= */ true)));
                world.heap.commit(Commit.of(new Change.DropSegment(segment.id())));
              }
              return result;
            });
    world.reopen();
  }

  @Test
  void event_erasedAfterItWasRead_leavesNoMemory() {
    Segment segment = world.segment(Boundary.GAP, first, second);
    eraseAfterReading(first, segment);

    assertThat(world.extractAll()).isEqualTo(1);
    assertThat(world.texts()).containsExactly(TABS);
  }

  @Test
  void session_erasedAfterItWasRead_isNotNotedAsRead() {
    Segment segment = world.segment(Boundary.GAP, first);
    eraseAfterReading(first, segment);

    assertThat(world.extractAll()).isZero();
    assertThat(world.heap.records().records("", Optional.empty(), 1000))
        .noneMatch(row -> row.toString().contains(first.session().value()));
  }
}
