package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Looking back, and going back.
class NodeHistoryTest {

  private static final String DAY = "toc:day:2026-01-30";

  private final TocWorld world =
      new TocWorld("UTC", Instant.parse("2027-06-01T00:00:00Z"), SegmentationConfig.DEFAULT);
  private final NodeHistory history = new NodeHistory(world.writer, node -> {});
  private final NodeId day = NodeId.parse(DAY).orElseThrow();

  /// A day with two final versions: a second session came late.
  private void twoVersions() {
    world.ingest(TocWorld.said("a", "2026-01-30T10:00:00Z", 1, "we chose exponential backoff"));
    world.settle();
    world.ingest(TocWorld.said("b", "2026-01-30T12:00:00Z", 2, "the tests are green again"));
    world.settle();
  }

  @Test
  void versions_pages_areNewestFirst() {
    twoVersions();
    List<TocNode> all = history.versions(day, Integer.MAX_VALUE, 10);
    assertThat(all)
        .extracting(node -> node.edition().version())
        .isSortedAccordingTo((a, b) -> b - a);
    assertThat(all.getFirst()).isEqualTo(world.node(DAY));
    int newest = all.getFirst().edition().version();
    assertThat(history.versions(day, newest, 10)).isEqualTo(all.subList(1, all.size()));
    assertThat(history.versions(day, Integer.MAX_VALUE, 1)).containsExactly(all.getFirst());
    assertThat(history.versions(NodeId.year(1999), Integer.MAX_VALUE, 1)).isEmpty();
  }

  @Test
  void revert_olderVersion_isANewOneWithItsWordsAndTodaysChildren() {
    twoVersions();
    TocNode latest = world.node(DAY);
    TocNode first = history.version(day, 1);
    assertThat(first.bullets()).isNotEqualTo(latest.bullets());

    Reverted reverted = history.revert(day, 1);

    assertThat(reverted.changed()).isTrue();
    TocNode now = world.node(DAY);
    assertThat(reverted.node()).isEqualTo(now);
    assertThat(now.bullets()).isEqualTo(first.bullets());
    assertThat(now.keywords()).isEqualTo(first.keywords());
    assertThat(now.children()).isEqualTo(latest.children()).hasSize(2);
    assertThat(now.edition())
        .isEqualTo(
            new Edition(
                latest.edition().version() + 1,
                world.now,
                /* provisional= */ false,
                first.edition().summarizer(),
                Optional.of(1),
                /* input= */ Optional.empty()));
    assertThat(history.version(day, latest.edition().version())).isEqualTo(latest);
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void revert_rollupWithoutChanges_leavesItAndTellsThePeriodAbove() {
    twoVersions();
    history.revert(day, 1);
    TocNode reverted = world.node(DAY);
    assertThat(world.store.toc().dirty(TocLevel.WEEK, 10)).hasSize(1);

    world.settle();

    assertThat(world.node(DAY)).isEqualTo(reverted);
    assertThat(world.node("toc:week:2026:W05").grips()).isSubsetOf(reverted.grips());
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void revert_changeBelow_summarisesAnewAndKeepsTheRevertedVersion() {
    twoVersions();
    history.revert(day, 1);
    TocNode reverted = world.node(DAY);

    world.ingest(TocWorld.said("c", "2026-01-30T15:00:00Z", 3, "the release is on friday"));
    world.settle();

    TocNode anew = world.node(DAY);
    assertThat(anew.children()).hasSize(3);
    assertThat(anew.edition().revertedTo()).isEmpty();
    assertThat(anew.bullets()).hasSizeGreaterThan(reverted.bullets().size());
    assertThat(history.versions(day, Integer.MAX_VALUE, 10))
        .anySatisfy(version -> assertThat(version.bullets()).isEqualTo(reverted.bullets()))
        .anySatisfy(version -> assertThat(version.edition().revertedTo()).contains(1));
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void revert_rebuild_summarisesAnew() {
    twoVersions();
    TocNode before = world.node(DAY);
    history.revert(day, 1);
    world.rebuild.run();
    world.settle();
    assertThat(world.node(DAY).bullets()).isEqualTo(before.bullets());
    assertThat(world.node(DAY).edition().revertedTo()).isEmpty();
  }

  @Test
  void revert_openPeriod_keepsTheEvidenceOfTheOldVersion() {
    twoVersions();
    world.now = Instant.parse("2026-01-30T16:00:00Z");
    world.ingest(TocWorld.said("d", "2026-01-30T15:50:00Z", 4, "one more thought on jitter"));
    world.project(100);
    world.rollUp();
    assertThat(world.node(DAY).edition().provisional()).isTrue();

    history.revert(day, 1);

    assertThat(world.node(DAY).edition().provisional()).isFalse();
    assertThat(world.store.verify(10)).isEmpty();
    world.now = Instant.parse("2027-06-01T00:00:00Z");
    world.settle();
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void revert_toWhatItSays_writesNothing() {
    twoVersions();
    TocNode latest = world.node(DAY);
    assertThat(history.revert(day, latest.edition().version()))
        .isEqualTo(new Reverted(latest, false));
    assertThat(world.store.toc().dirty(TocLevel.WEEK, 10)).isEmpty();
  }

  @Test
  void revert_whatIsNotThere_isRefusedWithWhatIs() {
    twoVersions();
    refused(ErrorCode.NOT_FOUND, "has no version 99; it has 1", () -> history.revert(day, 99));
    refused(ErrorCode.NOT_FOUND, "there is no node", () -> history.revert(NodeId.year(1999), 1));
    NodeId gone = world.ids(TocLevel.SEGMENT).getFirst();
    world.store.commit(Commit.of(new Change.RetireNode(gone)));
    assertThat(history.version(gone, 1).id()).isEqualTo(gone);
    refused(
        ErrorCode.NOT_FOUND, "no longer in the table of contents", () -> history.revert(gone, 1));
  }

  @Test
  void revert_evidenceGone_isRefused() {
    twoVersions();
    TocNode first = history.version(day, 1);
    world.store.commit(Commit.of(new Change.DropGrip(first.grips().getFirst())));
    refused(ErrorCode.CONFLICT, "which no longer exists", () -> history.revert(day, 1));
  }

  private static void refused(ErrorCode code, String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }
}
