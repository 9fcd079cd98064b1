package dev.agentmemory.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestGrips;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Contract of nodes, their versions, marks and grips.
public abstract class TocContract extends StoreContract {

  private static final LocalDate DAY = LocalDate.of(2026, 1, 30);

  private final NodeId day = NodeId.day(DAY);
  private final NodeId year = NodeId.year(2026);

  @Test
  void node_absent_isEmptyEverywhere() {
    assertThat(store().toc().node(day)).isEmpty();
    assertThat(store().toc().node(day, 1)).isEmpty();
    assertThat(store().toc().versions(day)).isEmpty();
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
    assertThat(store().grips().gripsOf(day)).isEmpty();
  }

  @Test
  void putNode_nextVersion_standsBesideTheFormer() {
    commit(branch());
    TocNode first = store().toc().node(day).orElseThrow();
    TocNode second = TestToc.node(day, 2, List.of());
    commit(new Change.PutNode(second));
    assertThat(store().toc().node(day)).contains(second);
    assertThat(store().toc().node(day, 1)).contains(first);
    assertThat(store().toc().versions(day)).containsExactly(1, 2);
    assertThat(store().toc().node(day, 3)).isEmpty();
    assertThat(store().toc().node(day, 0)).isEmpty();
  }

  @Test
  void maskNode_formerVersion_isReplacedInPlace() {
    commit(branch());
    TocNode first = store().toc().node(day).orElseThrow();
    TocNode second = TestToc.node(day, 2, first.children());
    commit(new Change.PutNode(second));
    TocNode masked = titled(first, "masked");
    commit(new Change.MaskNode(masked));
    assertThat(store().toc().node(day, 1)).contains(masked);
    assertThat(store().toc().node(day)).contains(second);
    assertThat(store().toc().versions(day)).containsExactly(1, 2);
    assertThat(store().derived().nodeVersions(Optional.empty(), 100)).contains(masked, second);
    assertThat(store().derived().nodeVersions(Optional.of(masked), 1)).containsExactly(second);
  }

  @Test
  void maskNode_otherVersionOrEdition_doesNothing() {
    commit(branch());
    TocNode first = store().toc().node(day).orElseThrow();
    commit(new Change.MaskNode(titled(TestToc.node(day, 2, List.of()), "masked")));
    commit(
        new Change.MaskNode(
            titled(first, "masked")
                .withEdition(first.edition().withProvisional(!first.edition().provisional()))));
    assertThat(store().toc().node(day)).contains(first);
    assertThat(store().toc().versions(day)).containsExactly(1);
  }

  private static TocNode titled(TocNode node, String title) {
    return new TocNode(
        node.id(),
        title,
        node.summary(),
        node.bullets(),
        node.keywords(),
        node.children(),
        node.span(),
        node.edition());
  }

  @Test
  void putNode_latestVersionAgain_replacesIt() {
    commit(branch());
    TocNode changed =
        new TocNode(
            day,
            "Changed",
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            store().toc().node(day).orElseThrow().span(),
            store().toc().node(day).orElseThrow().edition());
    commit(new Change.PutNode(changed));
    assertThat(store().toc().node(day)).contains(changed);
    assertThat(store().toc().versions(day)).containsExactly(1);
  }

  @Test
  void usage_retiredNode_isCountedByItsVersionsOnly() {
    commit(branch());
    long nodes = store().usage().nodes();
    commit(new Change.PutNode(TestToc.node(day, 2, List.of())));
    assertThat(store().usage().nodes()).isEqualTo(nodes);
    assertThat(store().usage().nodeVersions()).isEqualTo(nodes + 1);
    commit(
        new Change.RetireNode(day),
        new Change.PutNode(TestToc.node(TestToc.branch(DAY).get(1), 2, List.of())));
    assertThat(store().usage().nodes()).isEqualTo(nodes - 1);
    assertThat(store().usage().nodeVersions()).isEqualTo(nodes + 2);
    assertThat(store().usage().grips()).isZero();
  }

  @Test
  void putNode_gapOrOldVersion_isConflict() {
    commit(branch());
    commit(new Change.PutNode(TestToc.node(day, 2, List.of())));
    assertConflict(new Change.PutNode(TestToc.node(day, 4, List.of())));
    assertConflict(new Change.PutNode(TestToc.node(day, 1, List.of())));
    assertThat(store().toc().versions(day)).containsExactly(1, 2);
  }

  @Test
  void putNode_severalVersionsInOneCommit_follow() {
    commit(branch());
    commit(
        new Change.PutNode(TestToc.node(day, 2, List.of())),
        new Change.PutNode(TestToc.node(day, 3, List.of())));
    assertThat(store().toc().versions(day)).containsExactly(1, 2, 3);
  }

  @Test
  void retire_node_keepsVersionsAndTheirNumbering() {
    commit(branch());
    commit(new Change.MarkDirty(day));
    commit(
        new Change.RetireNode(day),
        new Change.PutNode(TestToc.node(TestToc.branch(DAY).get(1), 2, List.of())));
    assertThat(store().toc().node(day)).isEmpty();
    assertThat(store().toc().nodes(List.of(day, year))).hasSize(1);
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
    assertThat(store().toc().dirty(TocLevel.DAY, 10)).isEmpty();
    assertThat(store().stats().dirtyNodes()).isZero();
    assertThat(store().toc().versions(day)).containsExactly(1);
    assertThat(store().toc().node(day, 1)).isPresent();
    assertConflict(new Change.PutNode(TestToc.node(day, 1, List.of())));
    commit(
        new Change.PutNode(TestToc.node(day, 2, List.of())),
        new Change.PutNode(TestToc.node(TestToc.branch(DAY).get(1), 3, List.of(day))));
    assertThat(store().toc().versions(day)).containsExactly(1, 2);
  }

  @Test
  void retire_absentNode_doesNothing() {
    commit(new Change.RetireNode(day));
    assertThat(store().toc().versions(day)).isEmpty();
  }

  @Test
  void nodeIds_pages_goByLevelInOrder() {
    commit(branch());
    LocalDate next = DAY.plusDays(1);
    NodeId week = TestToc.branch(DAY).get(1);
    commit(
        new Change.PutNode(TestToc.node(NodeId.day(next), 1, List.of())),
        new Change.PutNode(TestToc.node(week, 2, List.of(day, NodeId.day(next)))));
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.empty(), 1)).containsExactly(day);
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.of(day), 5))
        .containsExactly(NodeId.day(next));
    assertThat(store().toc().nodeIds(TocLevel.YEAR, Optional.empty(), 5)).containsExactly(year);
    assertThat(store().toc().nodeIds(TocLevel.SEGMENT, Optional.empty(), 5)).isEmpty();
  }

  @Test
  void nodes_list_keepsItsOrderAndLeavesOutTheAbsent() {
    commit(branch());
    assertThat(store().toc().nodes(List.of(year, NodeId.year(1999), day)))
        .extracting(TocNode::id)
        .containsExactly(year, day);
  }

  @Test
  void dirty_marks_areSetsByLevel() {
    commit(branch());
    assertThat(store().toc().isDirty(day)).isFalse();
    commit(new Change.MarkDirty(day), new Change.MarkDirty(day), new Change.MarkDirty(year));
    assertThat(store().toc().dirty(TocLevel.DAY, 10)).containsExactly(day);
    assertThat(store().toc().isDirty(day)).isTrue();
    assertThat(store().toc().dirty(TocLevel.YEAR, 10)).containsExactly(year);
    assertThat(store().stats().dirtyNodes()).isEqualTo(2);
    commit(new Change.ClearDirty(day), new Change.ClearDirty(day));
    assertThat(store().toc().dirty(TocLevel.DAY, 10)).isEmpty();
    assertThat(store().toc().isDirty(day)).isFalse();
    assertThat(store().toc().isDirty(year)).isTrue();
    assertThat(store().stats().dirtyNodes()).isEqualTo(1);
  }

  @Test
  void putNode_wordsOfAModel_keepWhatTheyWereMadeOf() {
    commit(branch());
    TocNode upgraded = TestToc.upgraded(TestToc.node(day, 2, List.of()), "fingerprint");
    commit(new Change.PutNode(upgraded));
    assertThat(store().toc().node(day)).contains(upgraded);
    assertThat(store().toc().node(day).orElseThrow().edition().input()).contains("fingerprint");
    assertThat(store().toc().node(day, 1).orElseThrow().edition().input()).isEmpty();
  }

  @Test
  void upgrade_marks_areSetsByLevelApartFromDirtyOnes() {
    commit(branch());
    commit(
        new Change.MarkUpgrade(day),
        new Change.MarkUpgrade(day),
        new Change.MarkUpgrade(year),
        new Change.MarkDirty(year));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).containsExactly(day);
    assertThat(store().toc().upgrades(TocLevel.YEAR, Optional.empty(), 10)).containsExactly(year);
    assertThat(store().toc().dirty(TocLevel.DAY, 10)).isEmpty();
    commit(new Change.ClearUpgrade(day), new Change.ClearUpgrade(day), new Change.ClearDirty(year));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
    assertThat(store().toc().upgrades(TocLevel.YEAR, Optional.empty(), 10)).containsExactly(year);
  }

  @Test
  void upgrade_marksAndClearsInOneCommit_applyInOrder() {
    commit(branch());
    commit(
        new Change.ClearUpgrade(day),
        new Change.MarkUpgrade(day),
        new Change.MarkUpgrade(year),
        new Change.ClearUpgrade(year));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).containsExactly(day);
    assertThat(store().toc().upgrades(TocLevel.YEAR, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void upgrade_markOfARetiredNode_goesWithIt() {
    commit(branch());
    commit(new Change.MarkUpgrade(day));
    commit(
        new Change.MarkUpgrade(day),
        new Change.RetireNode(day),
        new Change.PutNode(TestToc.node(TestToc.branch(DAY).get(1), 2, List.of())));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
    commit(
        new Change.PutNode(TestToc.node(day, 2, List.of())),
        new Change.PutNode(TestToc.node(TestToc.branch(DAY).get(1), 3, List.of(day))));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void clearUpgrade_withoutAMark_doesNothing() {
    commit(new Change.ClearUpgrade(day), new Change.RetireNode(day));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void upgrades_pages_goOnBehindAnyNode() {
    var days = new ArrayList<NodeId>();
    for (int i = 0; i < 5; i++) {
      NodeId id = NodeId.day(DAY.minusDays(4 - i));
      days.add(id);
      commit(new Change.PutNode(TestToc.node(id, 1, List.of())), new Change.MarkUpgrade(id));
    }
    commit(TestToc.putBranchAbove(DAY, days));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.empty(), 2))
        .containsExactly(days.get(4), days.get(3));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.of(days.get(3)), 2))
        .containsExactly(days.get(2), days.get(1));
    assertThat(store().toc().awaitsUpgrade(days.get(1))).isTrue();
    commit(new Change.ClearUpgrade(days.get(1)));
    assertThat(store().toc().awaitsUpgrade(days.get(1))).isFalse();
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.of(days.get(1)), 2))
        .containsExactly(days.get(0));
    assertThat(store().toc().upgrades(TocLevel.DAY, Optional.of(days.get(0)), 2)).isEmpty();
    assertThatThrownBy(() -> store().toc().upgrades(TocLevel.DAY, Optional.empty(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void gripsOf_node_followsItsLatestVersion() {
    List<Event> events = TestEvents.messages("s", 3);
    Segment segment = TestSegments.segment(Boundary.GAP, events);
    Grip first = TestGrips.grip(segment.node(), events.get(0));
    Grip second = TestGrips.grip(segment.node(), events.get(0), events.get(2), "message 1");
    append(events);
    commit(TestToc.putTree(segment, List.of(first, second)));
    assertThat(store().grips().gripsOf(segment.node()))
        .containsExactlyElementsOf(List.of(first.id(), second.id()).stream().sorted().toList());
    assertThat(store().grips().grip(second.id())).contains(second);
    commit(new Change.PutNode(TestToc.node(segment, 2, List.of(second))));
    assertThat(store().grips().gripsOf(segment.node())).containsExactly(second.id());
    assertThat(store().grips().grip(first.id())).contains(first);
    commit(
        new Change.RetireNode(segment.node()),
        new Change.PutNode(TestToc.node(day, 2, List.of())),
        new Change.DropGrip(second.id()));
    assertThat(store().grips().gripsOf(segment.node())).isEmpty();
    assertThat(store().grips().grip(second.id())).isEmpty();
  }

  private List<Change> branch() {
    return TestToc.putBranch(DAY, List.of());
  }

  private void commit(List<Change> changes) {
    store().commit(Commit.of(changes));
  }

  private void assertConflict(Change change) {
    assertThatThrownBy(() -> commit(change))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
  }
}
