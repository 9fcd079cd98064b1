package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.ExpandGripRequest;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.GetNodeRequest;
import dev.agentmemory.proto.GetNodesRequest;
import dev.agentmemory.proto.GetNodesResponse;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.SearchChildrenRequest;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.SearchNodeResult;
import dev.agentmemory.proto.TocChildren;
import dev.agentmemory.proto.TocLevel;
import dev.agentmemory.proto.TocNode;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import io.grpc.Status;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TocCallsTest {

  private final Fixture fixture = Fixture.open();

  @BeforeEach
  void years() {
    putYears(2000, 2025);
  }

  private void putYears(int from, int to) {
    fixture.put(
        IntStream.range(from, to)
            .mapToObj(Samples::year)
            .toArray(dev.agentmemory.types.TocNode[]::new));
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
  void root_withoutDescent_hasNoChildren() {
    fixture.store.commit(Commit.of(TestToc.putBranch(LocalDate.of(2026, 1, 30), List.of())));
    assertThat(fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance()).getNewestList())
        .isEmpty();
  }

  @Test
  void root_withDescent_hasTheChildrenOfTheNewestOfEachLevel() {
    LocalDate day = LocalDate.of(2026, 1, 30);
    fixture.store.commit(Commit.of(TestToc.putBranch(day, List.of())));
    var answer =
        fixture
            .memory()
            .getTocRoot(GetTocRootRequest.newBuilder().setDescend(true).setLimit(200).build());
    assertThat(answer.getNodesList()).hasSize(26);
    assertThat(answer.getNewestList())
        .extracting(TocChildren::getParentId)
        .containsExactly(
            "toc:year:2026", "toc:month:2026:01", "toc:week:2026:W05", "toc:day:2026-01-30");
    assertThat(answer.getNewest(2).getChildrenList())
        .extracting(TocNode::getNodeId)
        .containsExactly("toc:day:2026-01-30");
    assertThat(answer.getNewest(2).hasContinuationToken()).isFalse();
  }

  @Test
  void root_withDescentIntoManyChildren_tellsHowToGoOn() {
    List<NodeId> days =
        IntStream.range(26, 29).mapToObj(day -> NodeId.day(LocalDate.of(2026, 1, day))).toList();
    fixture.store.commit(Commit.of(TestToc.putBranchAbove(LocalDate.of(2026, 1, 26), days)));
    for (int i = 0; i < days.size(); i++) {
      fixture.put(Samples.node(days.get(i), Instant.ofEpochMilli(i), "words"));
    }
    var answer =
        fixture
            .memory()
            .getTocRoot(GetTocRootRequest.newBuilder().setDescend(true).setLimit(2).build());
    var week = answer.getNewest(2);
    assertThat(week.getChildrenList())
        .extracting(TocNode::getNodeId)
        .containsExactly(days.get(0).value(), days.get(1).value());
    assertThat(browse(week.getParentId(), 2, week.getContinuationToken()).getChildrenList())
        .extracting(TocNode::getNodeId)
        .containsExactly(days.get(2).value());
  }

  @Test
  void root_withDescentIntoHugeNodes_endsBeforeTheyAreTooLarge() {
    LocalDate day = LocalDate.of(2026, 1, 30);
    fixture.store.commit(Commit.of(TestToc.putBranch(day, List.of())));
    NodeId week = TestToc.branch(day).get(1);
    NodeId month = TestToc.branch(day).get(2);
    for (NodeId huge : List.of(month, week)) {
      var known = fixture.store.toc().node(huge).orElseThrow();
      fixture.put(
          new dev.agentmemory.types.TocNode(
              known.id(),
              known.title(),
              Optional.of("x".repeat(2_000_000)),
              known.bullets(),
              known.keywords(),
              known.children(),
              known.span(),
              new Edition(2, known.edition().createdAt(), false, "extractive")));
    }
    var answer =
        fixture.memory().getTocRoot(GetTocRootRequest.newBuilder().setDescend(true).build());
    assertThat(answer.getNewestList())
        .extracting(TocChildren::getParentId)
        .containsExactly("toc:year:2026");
  }

  @Test
  void node_unknownOrImpossible_isAbsent() {
    assertThat(node("toc:year:1999")).isEmpty();
    assertThat(node("something else")).isEmpty();
  }

  @Test
  void node_otherSpelling_isFound() {
    fixture.put(Samples.node(NodeId.month(YearMonth.of(2026, 1)), Instant.EPOCH, "January"));
    assertThat(node("toc:month:2026-01").orElseThrow().getNodeId()).isEqualTo("toc:month:2026:01");
  }

  @Test
  void node_emptyId_isNamed() throws Exception {
    Refusals.of(() -> node(""))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("node_id");
  }

  @Test
  void nodes_comeInTheOrderAsked_withoutThoseThatAreNotThere() {
    putYears(3, 2001);
    assertThat(nodes("toc:year:2003", "toc:year:2999", "toc:year:2001").getNodesList())
        .extracting(TocNode::getNodeId)
        .containsExactly("toc:year:2003", "toc:year:2001");
    assertThat(nodes("toc:year:2999").getNodesList()).isEmpty();
  }

  @Test
  void nodes_thatDoNotFit_areCounted() {
    for (int year = 2000; year < 2005; year++) {
      fixture.put(
          Samples.node(NodeId.year(year), Instant.ofEpochMilli(year), "x".repeat(1_000_000)));
    }
    GetNodesResponse answer =
        nodes(
            IntStream.range(2000, 2005)
                .mapToObj(year -> "toc:year:" + year)
                .toArray(String[]::new));
    assertThat(answer.getNodesCount()).isEqualTo(3);
    assertThat(answer.getOmitted()).isEqualTo(2);
  }

  @Test
  void nodes_noneTooManyTwiceOrNonsense_isNamed() throws Exception {
    String[] many =
        IntStream.range(1000, 1101).mapToObj(year -> "toc:year:" + year).toArray(String[]::new);
    for (String[] ids :
        List.of(
            new String[0],
            many,
            new String[] {"toc:year:2001", "toc:year:2001"},
            new String[] {"toc:year:2001", "nonsense"},
            new String[] {""})) {
      Refusals.of(() -> nodes(ids))
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("node_ids");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\"", "ü", "\uD83D\uDE00", "%"})
  void refusal_thatQuotesALongText_isToldShortened(String text) throws Exception {
    var request =
        SearchNodeRequest.newBuilder()
            .setNodeId(text.repeat(2000))
            .setQuery("words")
            .addFields(SearchField.SEARCH_FIELD_TITLE)
            .build();
    Refusals refusal =
        Refusals.of(() -> fixture.memory().searchNode(request))
            .is(Status.Code.NOT_FOUND, ErrorCode.NOT_FOUND);
    refusal.says("there is no node " + text + text);
    refusal.says("... (shortened)");
  }

  private GetNodesResponse nodes(String... ids) {
    return fixture.toc().getNodes(GetNodesRequest.newBuilder().addAllNodeIds(List.of(ids)).build());
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
  @CsvSource({"0, 20", "-5, 20", "7, 7", "1000, 1000", "5000, 1000"})
  void browse_limit_isDefaultedAndCapped(int limit, int answered) {
    putYears(1000, 2001);
    assertThat(browse("", limit, "").getChildrenCount()).isEqualTo(answered);
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
    for (int year = 2000; year < 2010; year++) {
      fixture.put(
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
    List<Event> session = Samples.session(250, "text");
    fixture.putGrip(session, session.get(5));
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
    List<Event> session = Samples.session(19, "x".repeat(500_000));
    fixture.putGrip(session, session.get(9));
    ExpandGripResponse answer =
        expand(
            ExpandGripRequest.newBuilder()
                .setGripId(Samples.grip(1).value())
                .setEventsBefore(9)
                .setEventsAfter(9));
    assertThat(answer.getExcerptEventsCount()).isEqualTo(1);
    assertThat(answer.getEventsBeforeCount()).isBetween(1, 3);
    assertThat(answer.getEventsBeforeList().getLast().getEventId())
        .isEqualTo(session.get(8).id().value());
    assertThat(answer.getEventsAfter(0).getEventId()).isEqualTo(session.get(10).id().value());
    assertThat(answer.getSerializedSize()).isLessThan(4 << 20);
  }

  @Test
  void expand_unknownGrip_isEmpty() {
    assertThat(expand(ExpandGripRequest.newBuilder().setGripId("grip:nonsense")).hasGrip())
        .isFalse();
    assertThat(expand(ExpandGripRequest.newBuilder().setGripId(Samples.grip(2).value())).hasGrip())
        .isFalse();
  }

  private SearchNodeResponse search(int budget, SearchField... fields) {
    return fixture
        .memory()
        .searchNode(
            SearchNodeRequest.newBuilder()
                .setNodeId("toc:year:2001")
                .setQuery("jitter")
                .addAllFields(List.of(fields))
                .setTokenBudget(budget)
                .build());
  }

  @Test
  void searchNode_match_isMapped() {
    SearchNodeResponse answer = search(50);
    assertThat(answer.getMatched()).isTrue();
    assertThat(answer.getNodeId()).isEqualTo("toc:year:2001");
    assertThat(answer.getLevel()).isEqualTo(TocLevel.TOC_LEVEL_YEAR);
    assertThat(answer.getMatches(0).getField()).isEqualTo(SearchField.SEARCH_FIELD_BULLETS);
    assertThat(answer.getMatches(0).getGripIdsList()).containsExactly(Samples.grip(1).value());
    assertThat(answer.getMatches(0).getScore()).isPositive();
  }

  @Test
  void searchNode_fieldsAndBudget_areKept() {
    assertThat(search(0, SearchField.SEARCH_FIELD_UNSPECIFIED).getMatched()).isTrue();
    assertThat(
            search(0, SearchField.SEARCH_FIELD_UNSPECIFIED, SearchField.SEARCH_FIELD_TITLE)
                .getMatched())
        .isFalse();
    assertThat(search(0, SearchField.SEARCH_FIELD_BULLETS).getMatched()).isTrue();
    assertThat(search(1).getMatched()).isFalse();
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
    LocalDate day = LocalDate.of(2026, 1, 30);
    fixture.store.commit(Commit.of(TestToc.putBranch(day, List.of())));
    var request =
        SearchChildrenRequest.newBuilder()
            .setQuery("keyword")
            .setChildLevel(TocLevel.TOC_LEVEL_DAY)
            .build();
    var answer = fixture.memory().searchChildren(request);
    assertThat(answer.getHasMore()).isFalse();
    assertThat(answer.getResultsList())
        .extracting(SearchNodeResult::getNodeId, SearchNodeResult::getLevel)
        .containsExactly(tuple("toc:day:2026-01-30", TocLevel.TOC_LEVEL_DAY));
    assertThat(answer.getResults(0).getTitle()).isEqualTo("Title of toc:day:2026-01-30");
    assertThat(answer.getResults(0).getRelevanceScore()).isPositive();
  }

  @Test
  void searchChildren_moreThanTheLimit_isSaid() {
    var request = SearchChildrenRequest.newBuilder().setQuery("jitter").setLimit(3).build();
    var answer = fixture.memory().searchChildren(request);
    assertThat(answer.getResultsCount()).isEqualTo(3);
    assertThat(answer.getHasMore()).isTrue();
  }

  @Test
  void searchChildren_impossibleParent_isEmpty() {
    var request =
        SearchChildrenRequest.newBuilder().setQuery("word").setParentId("nonsense").build();
    assertThat(fixture.memory().searchChildren(request).getResultsCount()).isZero();
  }
}
