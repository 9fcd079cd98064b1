package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.BuildContextResponse;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.SearchResponse;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {

  static Stream<RandomValues> seeds() {
    return LongStream.range(0, 200).mapToObj(seed -> new RandomValues(new Random(seed)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void event_thereAndBack_isEqual(RandomValues values) throws InvalidProtocolBufferException {
    Event event = values.event();
    byte[] bytes = EventMessages.toWire(event).toByteArray();
    assertThat(EventMessages.fromWire(dev.agentmemory.proto.Event.parseFrom(bytes)))
        .isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void node_thereAndBack_isEqual(RandomValues values) throws InvalidProtocolBufferException {
    TocNode node = values.tocNode();
    byte[] bytes = NodeMessages.toWire(node).toByteArray();
    assertThat(NodeMessages.fromWire(dev.agentmemory.proto.TocNode.parseFrom(bytes)))
        .isEqualTo(node);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nodeVersions_thereAndBack_areEqual(RandomValues values)
      throws InvalidProtocolBufferException {
    NodeVersions versions =
        new NodeVersions(values.list(3, values::tocNode), values.random().nextBoolean());
    byte[] bytes = NodeMessages.toWire(versions).toByteArray();
    assertThat(NodeMessages.fromWire(ListNodeVersionsResponse.parseFrom(bytes)))
        .isEqualTo(versions);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void grip_thereAndBack_isEqual(RandomValues values) {
    Grip grip = values.grip();
    assertThat(GripMessages.fromWire(GripMessages.toWire(grip))).isEqualTo(grip);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void session_thereAndBack_isEqual(RandomValues values) {
    Session session = values.session();
    assertThat(SessionMessages.fromWire(SessionMessages.toWire(session))).isEqualTo(session);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void segment_thereAndBack_isEqual(RandomValues values) {
    SegmentOutline segment = SegmentOutline.of(values.segment());
    assertThat(SessionMessages.fromWire(SessionMessages.toWire(segment))).isEqualTo(segment);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void searchRequest_thereAndBack_isEqual(RandomValues values)
      throws InvalidProtocolBufferException {
    SearchRequest request = values.searchRequest();
    byte[] bytes = SearchMessages.toWire(request).toByteArray();
    assertThat(
            SearchMessages.fromWire(
                dev.agentmemory.proto.SearchRequest.parseFrom(bytes), Instant.MIN))
        .isEqualTo(request);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void searchAnswer_thereAndBack_isEqual(RandomValues values)
      throws InvalidProtocolBufferException {
    SearchAnswer answer = values.searchAnswer();
    byte[] bytes = SearchMessages.toWire(answer).toByteArray();
    assertThat(SearchMessages.fromWire(SearchResponse.parseFrom(bytes))).isEqualTo(answer);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void context_thereAndBack_isEqual(RandomValues values) throws InvalidProtocolBufferException {
    ContextRequest request = values.contextRequest();
    byte[] asked = SearchMessages.toWire(request).toByteArray();
    assertThat(SearchMessages.fromWire(BuildContextRequest.parseFrom(asked), Instant.MIN))
        .isEqualTo(request);
    Context context = values.context();
    byte[] answered = SearchMessages.toWire(context).toByteArray();
    assertThat(SearchMessages.fromWire(BuildContextResponse.parseFrom(answered)))
        .isEqualTo(context);
  }

  @Test
  void searchReport_thereAndBack_isEqual() {
    var busy =
        new SearchReport(
            1,
            2,
            3,
            4,
            5,
            Optional.of("bge-small-en-v1.5-q"),
            6,
            Optional.of(0.42),
            false,
            Optional.of("no answer"));
    var plain =
        new SearchReport(
            0, 0, 0, 0, 0, Optional.empty(), 0, Optional.empty(), true, Optional.empty());
    for (SearchReport report : List.of(busy, plain)) {
      assertThat(SearchMessages.fromWire(SearchMessages.toWire(report))).isEqualTo(report);
    }
  }

  @Test
  void usage_thereAndBack_isEqual() {
    var usage =
        new StoreUsage(1, 2, 3, 4, 5, 6, 7, 8, 9, List.of(new StoreUsage.Table("events", 10)));
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(usage))).isEqualTo(usage);
  }

  @Test
  void report_thereAndBack_isEqual() {
    var report =
        new DaemonReport(
            new StoreStats(1, 2, 3, 4, 5, 6, 7, 8),
            Map.of("toc", 9L, "search", 10L),
            11,
            ZoneId.of("Europe/Paris"),
            "0.1.0",
            new RandomValues(new Random(1)).time(),
            true,
            List.of("toc: stopped"),
            new SummarizerReport(
                "openai/gpt-4o-mini",
                Optional.of(new SummarizerReport.Spending(0, 12)),
                true,
                Optional.of("no answer")),
            new RefusalReport(
                Map.of("event.text", 3L, "conflict", 1L), Optional.of("event.text: is empty")),
            new GatewayReport(
                Map.of("stored", 5L, "unreadable", 2L),
                new GatewayReport.Spool(1, 2),
                Map.of("token", 4L),
                Map.of("limit", 6L),
                new GatewayReport.Recording(List.of("/work/secret"), Optional.of("#private"), 3)),
            Optional.of("an import"));
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(report))).isEqualTo(report);
    var plain =
        new DaemonReport(
            report.store(),
            Map.of(),
            0,
            report.zone(),
            "0.1.0",
            report.startedAt(),
            false,
            List.of(),
            SummarizerReport.EXTRACTIVE,
            RefusalReport.NONE,
            GatewayReport.NONE,
            Optional.empty());
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(plain))).isEqualTo(plain);
    assertThat(
            ReportMessages.fromWire(
                ReportMessages.toWire(report).toBuilder().clearSummarizer().build()))
        .extracting(DaemonReport::summarizer)
        .isEqualTo(SummarizerReport.EXTRACTIVE);
  }

  @Test
  void modelUsage_thereAndBack_isEqual() {
    var usage =
        new ModelUsage(
            7,
            List.of(
                new ModelUsage.Row(
                    LocalDate.of(2026, 1, 30),
                    "openai/gpt-4o-mini",
                    new ModelUsage.Sums(1, 2, 3, 4))),
            new ModelUsage.Sums(5, 6, 7, 8));
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(usage))).isEqualTo(usage);
    var odd = ReportMessages.toWire(usage).toBuilder();
    odd.getRowsBuilder(0).setDay("2026-02-30");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> ReportMessages.fromWire(odd.build()))
        .withMessageContaining("2026-02-30");
  }

  @Test
  void finding_thereAndBack_isEqual() {
    var finding = new Finding("events", "evt:1", "is odd");
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(finding))).isEqualTo(finding);
  }

  @Test
  void workspace_thereAndBack_isEqual() {
    var known =
        new WorkspaceReport(
            new WorkspaceName("work"),
            true,
            Optional.of(Instant.ofEpochMilli(7)),
            Optional.of(new WorkspaceReport.Content(0, 0)),
            42,
            Optional.of("a problem"));
    var unknown =
        new WorkspaceReport(
            new WorkspaceName("left"),
            false,
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty());
    for (WorkspaceReport report : List.of(known, unknown)) {
      assertThat(WorkspaceMessages.fromWire(WorkspaceMessages.toWire(report))).isEqualTo(report);
    }
  }

  @Test
  void rebuild_thereAndBack_isEqual() {
    var report = new RebuildReport(3, 4);
    assertThat(ReportMessages.fromWire(ReportMessages.toWire(report))).isEqualTo(report);
  }

  static Stream<WireEnums.Pair<?, ?>> enums() {
    return Stream.of(
        WireEnums.ROLE,
        WireEnums.TYPE,
        WireEnums.LEVEL,
        WireEnums.BOUNDARY,
        WireEnums.MODE,
        WireEnums.FUSION,
        WireEnums.KIND,
        WireEnums.FIELD,
        WireEnums.SCOPE,
        WireEnums.LIFETIME,
        WireEnums.MEMORY_KIND,
        WireEnums.EMBEDDING,
        WireEnums.ORDER,
        WireEnums.STATUS);
  }

  @ParameterizedTest
  @MethodSource("enums")
  <E extends Enum<E>, W extends Enum<W>> void constants_ofBothSides_areTheSame(
      WireEnums.Pair<E, W> pair) {
    assertThat(Arrays.stream(pair.own().getEnumConstants()))
        .allSatisfy(own -> assertThat(pair.required("it", pair.toWire(own))).isEqualTo(own));
    assertThat(Arrays.stream(pair.wire().getEnumConstants()))
        .filteredOn(wire -> !wire.name().matches(".*_UNSPECIFIED|UNRECOGNIZED"))
        .hasSameSizeAs(pair.own().getEnumConstants())
        .allSatisfy(wire -> assertThat(pair.fromWire("it", wire)).map(pair::toWire).hasValue(wire));
  }

  @ParameterizedTest
  @MethodSource("enums")
  <E extends Enum<E>, W extends Enum<W>> void constant_thatIsUnknown_isRefused(
      WireEnums.Pair<E, W> pair) {
    W unknown = Enum.valueOf(pair.wire(), "UNRECOGNIZED");
    assertThatThrownBy(() -> pair.fromWire("it", unknown))
        .hasMessage("it: is not a known value of " + pair.wire().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("enums")
  <E extends Enum<E>, W extends Enum<W>> void constant_thatIsUnspecified_isEmptyOrRefused(
      WireEnums.Pair<E, W> pair) {
    assertThat(pair.wire().getEnumConstants())
        .filteredOn(wire -> wire.name().endsWith("_UNSPECIFIED"))
        .allSatisfy(wire -> {
          assertThat(pair.fromWire("it", wire)).isEmpty();
          assertThatThrownBy(() -> pair.required("it", wire))
              .hasMessage("it: is not a known value of " + pair.wire().getSimpleName());
        });
  }
}
