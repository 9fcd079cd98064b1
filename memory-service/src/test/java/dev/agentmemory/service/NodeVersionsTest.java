package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.RevertNodeRequest;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocNode;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Versions of nodes, segments by time and the usage, through client and server.
class NodeVersionsTest {

  private final Fixture fixture = Fixture.open();
  private final MemoryClient client = fixture.client();
  private final NodeId year = NodeId.year(2026);

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  private void fiveVersions() {
    List<Event> session = Samples.session(3, "Retry with jitter");
    fixture.putGrip(session, session.getFirst());
    for (int version = 1; version <= 5; version++) {
      fixture.put(year("Version " + version, version));
    }
  }

  private TocNode year(String text, int version) {
    Instant start = Samples.year(2026).span().start();
    return Samples.node(year, start, text)
        .withEdition(new Edition(version, start, false, "extractive"));
  }

  @Test
  void versions_pages_areNewestFirst() {
    fiveVersions();
    NodeVersions first = client.contents().versions(year, 0, 2);
    assertThat(first.versions()).containsExactly(year("Version 5", 5), year("Version 4", 4));
    assertThat(first.more()).isTrue();
    NodeVersions rest = client.contents().versions(year, 4, 0);
    assertThat(rest.versions()).hasSize(3);
    assertThat(rest.more()).isFalse();
    assertThat(client.contents().versions(year, 1, 0).versions()).isEmpty();
    assertThat(client.contents().version(year, 3)).isEqualTo(year("Version 3", 3));
  }

  @Test
  void revert_olderVersion_isTheLatestThen() {
    fiveVersions();
    Reverted reverted = client.contents().revert(year, 2);
    assertThat(reverted.changed()).isTrue();
    assertThat(reverted.node().edition())
        .isEqualTo(
            new Edition(6, Fixture.NOW, false, "extractive", Optional.of(2), Optional.empty()));
    assertThat(client.contents().node(year)).contains(reverted.node());
    assertThat(client.contents().revert(year, 2)).isEqualTo(new Reverted(reverted.node(), false));
  }

  @Test
  void calls_forWhatIsNotThere_areRefused() throws Exception {
    fiveVersions();
    refused(ErrorCode.NOT_FOUND, () -> client.contents().versions(NodeId.year(1999), 0, 0));
    refused(ErrorCode.NOT_FOUND, () -> client.contents().version(year, 9));
    refused(ErrorCode.NOT_FOUND, () -> client.contents().revert(year, 9));
    assertThat(refused(ErrorCode.INVALID_FIELD, () -> client.contents().version(year, 0)).field())
        .contains("version");
    var stub = TocServiceGrpc.newBlockingStub(fixture.channel);
    Refusals.of(() -> stub.revertNode(RevertNodeRequest.newBuilder().setVersion(1).build()))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("node_id");
    var nonsense = RevertNodeRequest.newBuilder().setNodeId("toc:nonsense").setVersion(1).build();
    Refusals.of(() -> stub.revertNode(nonsense))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("node_id");
  }

  @Test
  void segments_byTime_comePageByPage() {
    List<Event> events = TestEvents.messages("s", 6);
    Segment early = TestSegments.segment(Boundary.GAP, events.subList(0, 3));
    Segment late = TestSegments.segment(Boundary.GAP, events.subList(3, 6));
    fixture.store.commit(Commit.append(events));
    fixture.store.commit(
        Commit.of(
            new Change.PutSegment(early),
            new Change.PutSegment(late),
            new Change.PutNode(TestToc.node(early.node(), 1, List.of())),
            new Change.PutNode(TestToc.node(late.node(), 1, List.of()))));

    Page<SegmentOutline> first = segments(Instant.EPOCH, "");
    assertThat(first.items()).extracting(SegmentOutline::id).containsExactly(early.id());
    Page<SegmentOutline> second = segments(Instant.EPOCH, first.token());
    assertThat(second.items()).extracting(SegmentOutline::id).containsExactly(late.id());
    assertThat(second.hasNext()).isFalse();
    assertThat(segments(early.start().plusMillis(1), "").items()).isEqualTo(second.items());
    refused(ErrorCode.INVALID_TOKEN, () -> segments(Instant.EPOCH, "garbage"));
  }

  private Page<SegmentOutline> segments(Instant from, String token) {
    Instant to = Instant.parse("2200-01-01T00:00:00Z");
    return client.sessions().segments(from, to, new PageRequest(token, 1));
  }

  @Test
  void usage_call_comesBackEqual() {
    fiveVersions();
    StoreUsage usage = client.admin().usage();
    assertThat(usage).isEqualTo(fixture.store.usage());
    assertThat(usage.nodeVersions()).isEqualTo(5);
  }

  @Test
  void modelUsage_ofTheLedger_isSummedAndComesBackEqual() {
    fixture.store.commit(
        Commit.of(
            List.of(
                call("01HN4QXKN6YWXVKZ3JMHP4BCDE", Duration.ZERO, ModelCall.Outcome.SUCCESS),
                call("01HN4QXKN6YWXVKZ3JMHP4BCDF", Duration.ofDays(1), ModelCall.Outcome.FAILED),
                call(
                    "01HN4QXKN6YWXVKZ3JMHP4BCDG", Duration.ofDays(31), ModelCall.Outcome.FAILED))));

    ModelUsage month = client.admin().modelUsage(0);

    assertThat(month.days()).isEqualTo(30);
    assertThat(month.rows()).extracting(row -> row.sums().calls()).containsExactly(1L, 1L);
    assertThat(month.total()).isEqualTo(new ModelUsage.Sums(2, 1, 20, 2));
    assertThat(client.admin().modelUsage(1).total().failedCalls()).isZero();
    assertThat(client.admin().modelUsage(ModelUsage.MOST_DAYS).total().calls()).isEqualTo(3);
  }

  @Test
  void modelUsage_daysOutOfRange_areRefusedByName() {
    for (int days : new int[] {-1, ModelUsage.MOST_DAYS + 1}) {
      assertThat(refused(ErrorCode.INVALID_FIELD, () -> client.admin().modelUsage(days)).field())
          .contains("days");
    }
  }

  private static Change call(String id, Duration ago, ModelCall.Outcome outcome) {
    return new Change.RecordCall(
        new ModelCall(
            id,
            Fixture.NOW.minus(ago),
            "llm_summaries",
            Optional.empty(),
            "openai/gpt-4o-mini",
            10,
            1,
            Duration.ofSeconds(1),
            outcome));
  }

  private static MemoryException refused(ErrorCode code, ThrowingCallable call) {
    MemoryException failure = catchThrowableOfType(MemoryException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(code);
    return failure;
  }
}
