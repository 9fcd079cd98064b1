package dev.agentmemory.engine.internal.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.api.changes.WorkspaceChanges;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is noted of commits, and for how long.
class ChangeLogTest {

  private final ChangeLogs logs = new ChangeLogs(new SplittableRandom(1));
  private final UsedLog log = logs.use("w");
  private final NotedStore store = new NotedStore(new HeapStore(ZoneOffset.UTC), log);

  private String now() {
    return log.position();
  }

  private WorkspaceChanges after(String position) {
    return log.after(position);
  }

  private static ChangedItems sessions(String... ids) {
    return new ChangedItems(
        Set.of(ids), "", Set.of(), Set.of(), Set.of(), Set.of(), /* more= */ false);
  }

  @Test
  void events_areNoted_onceTheyAreStored() {
    List<Event> events = TestEvents.messages("s", 2);
    String before = now();
    store.commit(Commit.append(events));

    WorkspaceChanges changes = after(before);
    assertThat(changes.isReset()).isFalse();
    assertThat(changes.items().sessions()).containsExactly("s");
    assertThat(changes.items().lastEvent()).isEqualTo(events.getLast().id().value());
    assertThat(after(changes.position()).items().isEmpty()).isTrue();
    // The same again stores nothing.
    store.submit(Commit.append(events)).join();
    assertThat(now()).isEqualTo(changes.position());
  }

  @Test
  void nodesMemoriesAndJobs_areNoted_byTheirIds() {
    String before = now();
    store.commit(Commit.of(TestToc.putBranch(LocalDate.of(2026, 1, 30), List.of())));
    store.commit(Commit.of(new Change.PutRecord(new StoredRecord("memory:m1", "{}"))));
    store.commit(Commit.of(new Change.PutRecord(new StoredRecord("use:m2", "{}"))));
    store.commit(Commit.of(new Change.DropRecord("memory:m3")));
    store.commit(Commit.of(Checkpoint.at("job:rollup", 0)));
    store.commit(Commit.of(Checkpoint.at("toc", 0)));

    ChangedItems items = after(before).items();
    assertThat(items.nodes())
        .contains("toc:day:2026-01-30", "toc:week:2026:W05", "toc:month:2026:01", "toc:year:2026");
    assertThat(items.memories()).containsExactly("m1", "m3");
    assertThat(items.jobs()).containsExactly("rollup");
    assertThat(items.sessions()).isEmpty();
  }

  @Test
  void partsOfTheStatus_areNoted_byTheirNames() {
    Event event = TestEvents.messages("s", 1).getFirst();
    store.commit(Commit.append(List.of(event)));
    NodeId node = NodeId.day(LocalDate.of(2026, 1, 30));
    var letter =
        new DeadLetter("toc", new OutboxEntry(1, event.key()), "it failed", 3, Instant.EPOCH);
    Map<String, Commit> commits =
        Map.of(
            "consumers", Commit.of(Checkpoint.at("toc", 0)),
            "dirtyNodes", Commit.of(new Change.MarkDirty(node)),
            "deadLetters", Commit.of(new Change.PutDeadLetter(letter)),
            "modelUsage", Commit.of(new Change.RecordCall(TestCalls.call(TestEvents.START, 0))));
    commits.forEach((part, commit) -> {
      String before = now();
      store.commit(commit);
      assertThat(after(before).items().status()).as(part).containsExactly(part);
    });
    String before = now();
    store.commit(Commit.of(new Change.ClearDirty(node)));
    store.commit(Commit.of(new Change.DropDeadLetter("toc", 1)));
    assertThat(after(before).items().status()).containsExactly("dirtyNodes", "deadLetters");
  }

  @Test
  void position_thatIsUnknown_isAReset() {
    String first = now();
    log.log().add(sessions("a"));
    String later = now();

    for (String unknown :
        List.of("", "x", first.substring(0, first.length() - 1) + "-1", later + "0", "0-0")) {
      assertThat(after(unknown)).isEqualTo(new WorkspaceChanges(later, true, ChangedItems.NONE));
    }
    assertThat(after(first).items().sessions()).containsExactly("a");
  }

  @Test
  void log_keepsTheLatestOnly() {
    String first = now();
    for (int i = 0; i < ChangeLog.MOST_IDS; i++) {
      log.log().add(sessions("s" + i));
    }
    assertThat(after(first).isReset()).isFalse();
    assertThat(after(first).items().sessions()).hasSize(ChangedItems.MOST);
    assertThat(after(first).items().more()).isTrue();
    String second = now();
    log.log().add(sessions("one", "more"));
    assertThat(after(first).isReset()).isTrue();
    assertThat(after(second).items().sessions()).containsExactlyInAnyOrder("one", "more");
  }

  @Test
  void items_beyondTheMost_areNotNamed() {
    Set<String> most =
        IntStream.range(0, ChangedItems.MOST).mapToObj(i -> "s" + i).collect(Collectors.toSet());
    ChangedItems items = sessions(most.toArray(String[]::new));
    assertThat(items.more()).isFalse();
    assertThat(items.and(sessions("s1")).more()).isFalse();
    assertThat(items.and(sessions("other")).more()).isTrue();
    assertThat(items.and(sessions("other")).size()).isEqualTo(ChangedItems.MOST);
  }

  @Test
  void log_isThereWhileItIsUsed() {
    UsedLog follower = logs.use("w");
    log.log().add(sessions("a"));
    String position = now();
    store.close();
    store.close();
    UsedLog reopened = logs.use("w");
    reopened.log().add(sessions("b"));
    assertThat(follower.after(position).items().sessions()).containsExactly("b");

    follower.close();
    reopened.close();
    assertThat(logs.use("w").after(position).isReset()).isTrue();
  }
}
