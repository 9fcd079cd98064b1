package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.ExpandGripRequest;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.GetNodeRequest;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.SearchChildrenRequest;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.TocLevel;
import dev.agentmemory.proto.TocNode;
import dev.agentmemory.toc.NodeField;
import dev.agentmemory.toc.NodeQuery;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.NodeId;
import io.grpc.Status;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TocCallsTest {

  private final Fixture fixture = Fixture.open();

  @BeforeEach
  void years() {
    IntStream.range(2000, 2025).mapToObj(Samples::year).forEach(fixture.toc.nodes::add);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void root_withYears_keepsTheirOrder() {
    var nodes = fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance()).getNodesList();
    assertThat(nodes).hasSize(25);
    assertThat(nodes.getFirst().getNodeId()).isEqualTo("toc:year:2024");
    assertThat(nodes.getFirst().getLevel()).isEqualTo(TocLevel.TOC_LEVEL_YEAR);
  }

  @Test
  void node_unknownOrImpossible_isAbsent() {
    assertThat(node("toc:year:1999")).isEmpty();
    assertThat(node("something else")).isEmpty();
  }

  @Test
  void node_otherSpelling_isFound() {
    fixture.toc.nodes.add(
        Samples.node(NodeId.month(YearMonth.of(2026, 1)), Instant.EPOCH, "January"));
    assertThat(node("toc:month:2026-01").orElseThrow().getNodeId()).isEqualTo("toc:month:2026:01");
  }

  @Test
  void node_emptyId_isNamed() throws Exception {
    Refusals.of(() -> node(""))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("node_id");
  }

  private Optional<TocNode> node(String id) {
    var answer = fixture.memory().getNode(GetNodeRequest.newBuilder().setNodeId(id).build());
    return answer.hasNode() ? Optional.of(answer.getNode()) : Optional.empty();
  }

  private BrowseTocResponse browse(String parent, int limit, String token) {
    var request = BrowseTocRequest.newBuilder().setParentId(parent).setLimit(limit);
    if (!token.isEmpty()) {
      request.setContinuationToken(token);
    }
    return fixture.memory().browseToc(request.build());
  }

  @ParameterizedTest
  @CsvSource({"0, 21", "-5, 21", "7, 8", "1000, 1001", "5000, 1001"})
  void browse_limit_isDefaultedAndCapped(int limit, int asked) {
    browse("", limit, "");
    assertThat(fixture.toc.asked).containsExactly(asked);
  }

  @Test
  void browse_pageByPage_bringsEveryChildOnceInOrder() {
    List<String> seen = new ArrayList<>();
    String token = "";
    int pages = 0;
    do {
      BrowseTocResponse page = browse("", 10, token);
      page.getChildrenList().forEach(child -> seen.add(child.getNodeId()));
      assertThat(page.getHasMore()).isEqualTo(page.hasContinuationToken());
      token = page.getContinuationToken();
      pages++;
    } while (!token.isEmpty());
    assertThat(pages).isEqualTo(3);
    assertThat(seen).hasSize(25).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void browse_hugeNodes_endsThePageByBytes() {
    fixture.toc.nodes.clear();
    for (int year = 2000; year < 2010; year++) {
      fixture.toc.nodes.add(
          Samples.node(NodeId.year(year), Instant.ofEpochMilli(year), "x".repeat(1_000_000)));
    }
    BrowseTocResponse page = browse("", 10, "");
    assertThat(page.getChildrenCount()).isEqualTo(3);
    assertThat(page.getHasMore()).isTrue();
    assertThat(browse("", 10, page.getContinuationToken()).getChildren(0).getNodeId())
        .isEqualTo("toc:year:2003");
  }

  @Test
  void browse_unknownParent_isEmpty() {
    assertThat(browse("toc:year:1999", 5, "").getChildrenCount()).isZero();
    assertThat(browse("nonsense", 5, "").getChildrenCount()).isZero();
  }

  @Test
  void browse_badToken_isNamed() throws Exception {
    Refusals.of(() -> browse("", 5, "garbage"))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_TOKEN)
        .names("continuation_token");
  }

  @Test
  void browse_tokenOfAnotherParent_isRefused() throws Exception {
    String token = browse("", 5, "").getContinuationToken();
    Refusals.of(() -> browse("toc:year:2001", 5, token))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_TOKEN);
  }

  private ExpandGripResponse expand(ExpandGripRequest.Builder request) {
    return fixture.memory().expandGrip(request.build());
  }

  @Test
  void expand_contextAbsentZeroAndHuge_isThreeNoneAndCapped() {
    var grip = ExpandGripRequest.newBuilder().setGripId(Samples.grip(1).value());
    ExpandGripResponse byDefault = expand(grip);
    assertThat(byDefault.getEventsBeforeCount()).isEqualTo(3);
    assertThat(byDefault.getEventsAfterCount()).isEqualTo(3);
    assertThat(byDefault.getExcerptEventsCount()).isEqualTo(1);
    assertThat(byDefault.getGrip().getExcerpt()).isEqualTo("text");
    ExpandGripResponse bounds = expand(grip.clone().setEventsBefore(0).setEventsAfter(5000));
    assertThat(bounds.getEventsBeforeCount()).isZero();
    assertThat(bounds.getEventsAfterCount()).isEqualTo(200);
  }

  @Test
  void expand_hugeContext_keepsTheNearest() {
    fixture.toc.contextText = 500_000;
    ExpandGripResponse answer =
        expand(
            ExpandGripRequest.newBuilder()
                .setGripId(Samples.grip(1).value())
                .setEventsBefore(9)
                .setEventsAfter(9));
    assertThat(answer.getExcerptEventsCount()).isEqualTo(1);
    assertThat(answer.getEventsBeforeCount()).isBetween(1, 3);
    assertThat(answer.getEventsBeforeList().getLast().getEventId())
        .isEqualTo(Samples.id(499).value());
    assertThat(answer.getEventsAfter(0).getEventId()).isEqualTo(Samples.id(501).value());
    assertThat(answer.getSerializedSize()).isLessThan(4 << 20);
  }

  @Test
  void expand_unknownGrip_isEmpty() {
    assertThat(expand(ExpandGripRequest.newBuilder().setGripId("grip:nonsense")).hasGrip())
        .isFalse();
    assertThat(expand(ExpandGripRequest.newBuilder().setGripId(Samples.grip(2).value())).hasGrip())
        .isFalse();
  }

  @Test
  void searchNode_query_isMappedBothWays() {
    SearchNodeResponse answer =
        fixture
            .memory()
            .searchNode(
                SearchNodeRequest.newBuilder()
                    .setNodeId("toc:year:2001")
                    .setQuery("word")
                    .addFields(SearchField.SEARCH_FIELD_UNSPECIFIED)
                    .addFields(SearchField.SEARCH_FIELD_TITLE)
                    .setTokenBudget(50)
                    .build());
    assertThat(fixture.toc.asked)
        .containsExactly(new NodeQuery("word", Set.of(NodeField.TITLE), 10, 50));
    assertThat(answer.getMatched()).isTrue();
    assertThat(answer.getNodeId()).isEqualTo("toc:year:2001");
    assertThat(answer.getLevel()).isEqualTo(TocLevel.TOC_LEVEL_YEAR);
    assertThat(answer.getMatches(0).getField()).isEqualTo(SearchField.SEARCH_FIELD_BULLETS);
    assertThat(answer.getMatches(0).getGripIdsList()).containsExactly(Samples.grip(1).value());
    assertThat(answer.getMatches(0).getScore()).isEqualTo(0.5f);
  }

  @Test
  void searchNode_unknownNode_isNotFound() throws Exception {
    for (String id : List.of("toc:year:1999", "nonsense")) {
      var request = SearchNodeRequest.newBuilder().setNodeId(id).setQuery("word").build();
      Refusals.of(() -> fixture.memory().searchNode(request))
          .is(Status.Code.NOT_FOUND, ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void search_emptyQuery_isNamed() throws Exception {
    var node = SearchNodeRequest.newBuilder().setNodeId("toc:year:2001").setQuery(" ").build();
    Refusals.of(() -> fixture.memory().searchNode(node))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("query");
    Refusals.of(() -> fixture.memory().searchChildren(SearchChildrenRequest.getDefaultInstance()))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("query");
  }

  @Test
  void search_unknownField_isNamed() throws Exception {
    var request =
        SearchNodeRequest.newBuilder().setNodeId("toc:year:2001").setQuery("x").addFieldsValue(9);
    Refusals.of(() -> fixture.memory().searchNode(request.build()))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("fields");
  }

  @Test
  void searchChildren_level_isMappedBothWays() {
    var answer =
        fixture
            .memory()
            .searchChildren(
                SearchChildrenRequest.newBuilder()
                    .setQuery("word")
                    .setChildLevel(TocLevel.TOC_LEVEL_DAY)
                    .build());
    assertThat(fixture.toc.asked).containsExactly(Optional.of(dev.agentmemory.types.TocLevel.DAY));
    assertThat(answer.getHasMore()).isTrue();
    assertThat(answer.getResults(0).getRelevanceScore()).isEqualTo(0.75f);
    assertThat(answer.getResults(0).getTitle()).isEqualTo("toc:year:2000 title");
  }

  @Test
  void searchChildren_impossibleParent_isEmpty() {
    var request =
        SearchChildrenRequest.newBuilder().setQuery("word").setParentId("nonsense").build();
    assertThat(fixture.memory().searchChildren(request).getResultsCount()).isZero();
  }
}
