package dev.agentmemory.recall.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.internal.table.MemoryTable.Changed;
import dev.agentmemory.recall.internal.table.MemoryTable.ScopeCount;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryTableTest {

  private static final Instant TIME = TestEvents.START;
  private static final SessionId SESSION = new SessionId("s1");
  private static final MemoryPlace OF_SESSION = MemoryPlace.WORKSPACE.from(SESSION);
  private static final ScopeInstance WORKSPACE = ScopeInstance.of(MemoryPlace.WORKSPACE);

  private final MemoryTable table = new MemoryTable();

  private static MemoryId id(long tail) {
    return new MemoryId(TestEvents.id(TIME, tail));
  }

  private static MemoryEntry entry(long tail, MemoryPlace place, MemoryKind kind) {
    return entry(tail, place, kind, Validity.since(TIME));
  }

  private static MemoryEntry entry(
      long tail, MemoryPlace place, MemoryKind kind, Validity validity) {
    return new MemoryEntry(
        id(tail),
        place,
        MemoryLifetime.SHORT_TERM,
        kind,
        "user",
        0.5,
        false,
        Set.of(),
        List.of(),
        validity,
        MemoryUse.NEVER,
        100,
        MemoryStatement.of("text"),
        Optional.empty());
  }

  private static Changed removed(MemoryId id) {
    return new Changed(List.of(), Set.of(), List.of(id), Map.of(), List.of());
  }

  @Test
  void usage_followsPutsReplacementsAndRemovals() {
    table.put(entry(1, OF_SESSION, MemoryKind.FINDING));
    table.put(entry(2, OF_SESSION, MemoryKind.PREFERENCE));
    table.put(entry(3, MemoryPlace.WORKSPACE, MemoryKind.FINDING));
    table.change(id(2), entry -> entry.withUse(MemoryUse.NEVER.plus(TIME)));
    assertThat(table.usage(SESSION))
        .isEqualTo(
            new SessionUsage(
                Map.of(MemoryKind.FINDING, 1L, MemoryKind.PREFERENCE, 1L),
                200,
                Optional.of(TIME),
                Optional.of(TIME),
                Optional.of(TIME)));
    assertThat(table.count(WORKSPACE)).isEqualTo(new ScopeCount(3, 1));

    table.put(entry(1, OF_SESSION, MemoryKind.PREFERENCE));
    assertThat(table.count(WORKSPACE)).isEqualTo(new ScopeCount(3, 2));
    assertThat(table.bytes(SESSION)).isEqualTo(200);

    table.apply(removed(id(1)));
    table.apply(removed(id(2)));
    assertThat(table.usage(SESSION)).isEqualTo(SessionUsage.NONE);
    assertThat(table.count(WORKSPACE)).isEqualTo(new ScopeCount(1, 0));
  }

  @Test
  void scopes_ofAChannelOrConversation_areCountedApart() {
    MemoryPlace a = MemoryPlace.channel(new ChannelName("a"));
    MemoryPlace b = MemoryPlace.channel(new ChannelName("b"));
    table.put(entry(1, a, MemoryKind.FINDING));
    table.put(entry(2, MemoryPlace.conversation(SESSION), MemoryKind.FINDING));

    assertThat(table.count(ScopeInstance.of(a))).isEqualTo(new ScopeCount(1, 0));
    assertThat(table.count(ScopeInstance.of(b))).isEqualTo(new ScopeCount(0, 0));
    assertThat(table.count(ScopeInstance.of(MemoryPlace.conversation(SESSION))))
        .isEqualTo(new ScopeCount(1, 0));
    assertThat(table.count(WORKSPACE)).isEqualTo(new ScopeCount(0, 0));
  }

  @Test
  void find_mergedId_leadsThroughAnyNumberOfMerges() {
    table.put(entry(3, MemoryPlace.WORKSPACE, MemoryKind.FINDING));
    table.addMerged(id(1), id(2));
    table.addMerged(id(2), id(3));

    assertThat(table.find(id(1)).map(MemoryEntry::id)).contains(id(3));
    assertThat(table.entry(id(1))).isEmpty();
    assertThat(table.mergedInto(id(3))).containsExactly(id(1), id(2));
    assertThat(table.isMerged(id(1))).isTrue();
    assertThat(table.isMerged(id(3))).isFalse();
  }

  @Test
  void find_mergesInACircle_endsWithoutAResult() {
    table.addMerged(id(1), id(2));
    table.addMerged(id(2), id(1));

    assertThat(table.find(id(1))).isEmpty();
  }

  @Test
  void replacedBy_countsWhatAMergedMemoryReplaced_andForgetsWhatIsGone() {
    table.put(
        entry(
            1,
            MemoryPlace.WORKSPACE,
            MemoryKind.FINDING,
            Validity.since(TIME).superseded(TIME, id(2))));
    table.put(entry(3, MemoryPlace.WORKSPACE, MemoryKind.FINDING));
    assertThat(table.replacedBy(id(2))).containsExactly(id(1));
    assertThat(table.replacedBy(id(3))).isEmpty();

    table.addMerged(id(2), id(3));
    assertThat(table.replacedBy(id(3))).containsExactly(id(1));

    table.apply(removed(id(1)));
    assertThat(table.replacedBy(id(3))).isEmpty();
  }

  @Test
  void apply_accessCountedMeanwhile_isKept_unlessTheUseIsSet() {
    table.put(entry(1, MemoryPlace.WORKSPACE, MemoryKind.FINDING));
    table.change(id(1), entry -> entry.withUse(MemoryUse.NEVER.plus(TIME)));

    MemoryEntry stale = entry(1, OF_SESSION, MemoryKind.DECISION);
    table.apply(new Changed(List.of(stale), Set.of(), List.of(), Map.of(), List.of()));
    assertThat(table.find(id(1)).orElseThrow().use().count()).isEqualTo(1);
    assertThat(table.find(id(1)).orElseThrow().kind()).isEqualTo(MemoryKind.DECISION);

    table.apply(new Changed(List.of(stale), Set.of(id(1)), List.of(), Map.of(), List.of()));
    assertThat(table.find(id(1)).orElseThrow().use().count()).isZero();
  }

  @Test
  void corrupt_leavesTheEntriesUntilItIsWrittenAgain() {
    table.put(entry(1, OF_SESSION, MemoryKind.FINDING));
    table.addCorrupt(id(1));
    assertThat(table.find(id(1))).isEmpty();
    assertThat(table.corrupt()).containsExactly(id(1));
    assertThat(table.bytes(SESSION)).isZero();

    table.put(entry(1, OF_SESSION, MemoryKind.FINDING));
    assertThat(table.corrupt()).isEmpty();
  }
}
