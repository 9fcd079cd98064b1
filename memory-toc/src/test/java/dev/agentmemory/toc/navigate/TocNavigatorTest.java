package dev.agentmemory.toc.navigate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.toc.TocWorld;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reading the table of contents: down, sideways and to the evidence.
class TocNavigatorTest {

  private static final Instant LATER = Instant.parse("2027-06-01T00:00:00Z");

  private final TocWorld world = new TocWorld("UTC", LATER, SegmentationConfig.DEFAULT);
  private final TocNavigator navigator = new TocNavigator(world.store, TocWorld.WORDS);

  @BeforeEach
  void twoYearsOfTalk() {
    world.ingest(
        TocWorld.said("a", "2025-06-10T10:00:00Z", 1, "we chose exponential backoff"),
        TocWorld.said("b", "2025-06-10T10:00:01Z", 2, "meanwhile in another session"),
        TocWorld.said("a", "2025-06-10T10:00:02Z", 3, "with five retries at most"),
        TocWorld.said("a", "2025-06-10T12:00:00Z", 4, "the migration renames a column"),
        TocWorld.said("a", "2026-01-30T10:00:00Z", 5, "迁移已经完成 and the retry works"));
    world.settle();
  }

  @Test
  void root_isNewestFirst_childrenOldestFirst() {
    assertThat(navigator.root())
        .extracting(node -> node.id().value())
        .containsExactly("toc:year:2026", "toc:year:2025");
    assertThat(children(Optional.empty(), Optional.empty(), 10))
        .containsExactly("toc:year:2025", "toc:year:2026");
  }

  @Test
  void children_pageByPage_areAllInTimeOrder() {
    NodeId day = id("toc:day:2025-06-10");
    List<Instant> starts = new ArrayList<>();
    Optional<ChildPlace> after = Optional.empty();
    List<TocNode> page;
    do {
      page = navigator.children(Optional.of(day), after, 1);
      page.forEach(node -> starts.add(node.span().start()));
      after = page.stream().findFirst().map(ChildPlace::of);
    } while (!page.isEmpty());
    assertThat(starts).hasSize(3).isSorted();
  }

  @Test
  void children_afterAChildThatIsGone_goOnByTime() {
    ChildPlace gone =
        new ChildPlace(
            Instant.parse("2025-06-10T11:00:00Z"), id("toc:segment:2025-06-10:" + "0".repeat(26)));
    assertThat(navigator.children(Optional.of(id("toc:day:2025-06-10")), Optional.of(gone), 10))
        .singleElement()
        .satisfies(node -> assertThat(node.span().start()).isEqualTo("2025-06-10T12:00:00Z"));
  }

  @Test
  void children_ofAnUnknownParent_areNone() {
    assertThat(children(Optional.of(id("toc:day:2024-01-01")), Optional.empty(), 10)).isEmpty();
  }

  @Test
  void expand_showsTheExcerptAndItsSessionOnly() {
    GripId grip = gripOf("we chose exponential backoff");
    GripContext context = navigator.expand(grip, 3, 3).orElseThrow();
    assertThat(context.before()).isEmpty();
    assertThat(context.excerpt())
        .extracting(Event::text)
        .containsExactly("we chose exponential backoff");
    assertThat(context.after())
        .extracting(Event::text)
        .containsExactly(
            "with five retries at most",
            "the migration renames a column",
            "迁移已经完成 and the retry works");
    assertThat(navigator.expand(grip, 0, 0).orElseThrow().after()).isEmpty();
    assertThat(navigator.expand(grip, 0, 1).orElseThrow().after()).hasSize(1);
  }

  @Test
  void expand_ofAnUnknownGrip_isEmpty() {
    GripId unknown = GripId.of(LATER, new EventId("0".repeat(26)));
    assertThat(navigator.expand(unknown, 3, 3)).isEmpty();
  }

  @Test
  void searchNode_findsWordsInAnyOrderCaseAndForm() {
    NodeId segment =
        navigator
            .children(Optional.of(id("toc:day:2025-06-10")), Optional.empty(), 1)
            .getFirst()
            .id();
    List<NodeMatch> matches =
        navigator.searchNode(segment, query("BACKOFF chosen exponential", 10, 0));
    assertThat(matches.getFirst().field()).isEqualTo(NodeField.TITLE);
    assertThat(matches)
        .filteredOn(match -> match.field() == NodeField.BULLETS)
        .singleElement()
        .satisfies(match -> assertThat(match.grips()).hasSize(1));
    assertThat(navigator.searchNode(segment, query("nowhere", 10, 0))).isEmpty();
  }

  @Test
  void searchNode_unknown_isNotFound() {
    assertThatThrownBy(() -> navigator.searchNode(id("toc:year:1999"), query("x", 1, 0)))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void searchChildren_deeperLevel_findsSegmentsOfAllYears() {
    FoundNodes found =
        navigator.searchChildren(
            Optional.empty(), Optional.of(TocLevel.SEGMENT), query("retry retries", 10, 0));
    assertThat(found.nodes())
        .extracting(node -> node.id().value().substring(0, 22))
        .containsExactlyInAnyOrder("toc:segment:2025-06-10", "toc:segment:2026-01-30");
    assertThat(found.more()).isFalse();
    assertThat(
            navigator
                .searchChildren(
                    Optional.empty(), Optional.of(TocLevel.SEGMENT), query("retry", 1, 0))
                .more())
        .isTrue();
    assertThat(
            navigator
                .searchChildren(Optional.empty(), Optional.of(TocLevel.SEGMENT), query("迁移", 10, 0))
                .nodes())
        .hasSize(1);
  }

  @Test
  void tokenBudget_isNeverPassed() {
    FoundNodes found =
        navigator.searchChildren(
            Optional.empty(), Optional.of(TocLevel.SEGMENT), query("the retry migration", 10, 6));
    int tokens =
        found.nodes().stream()
            .flatMap(node -> node.matches().stream())
            .mapToInt(match -> TocWorld.WORDS.count(match.text()))
            .sum();
    assertThat(tokens).isBetween(1, 6);
    assertThat(found.more()).isTrue();
  }

  private List<String> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit) {
    return navigator.children(parent, after, limit).stream()
        .map(node -> node.id().value())
        .toList();
  }

  private GripId gripOf(String text) {
    return world.store.toc().nodes(world.ids(TocLevel.SEGMENT)).stream()
        .flatMap(node -> node.bullets().stream())
        .filter(bullet -> bullet.text().equals(text))
        .findFirst()
        .orElseThrow()
        .grips()
        .getFirst();
  }

  private static NodeQuery query(String text, int limit, int budget) {
    return new NodeQuery(text, Set.of(), limit, budget);
  }

  private static NodeId id(String text) {
    return NodeId.parse(text).orElseThrow();
  }
}
