package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One store for all agents, in a real daemon: what callers see who name no workspace, and what
/// those may do who name one. That these see nothing of the others shows [WorkspaceIsolationTest].
@Tag("slow")
class UnifiedModeTest {

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");
  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final Event EVENT =
      TestEvents.message("s", TestEvents.START, "We decided to retry four times with full jitter.");

  @TempDir private Path data;

  private final List<AutoCloseable> parts = new ArrayList<>();

  @BeforeEach
  void start() {
    Daemon daemon =
        Daemon.start(
            ConfigLoader.load(
                data,
                List.of(
                    SettingSource.flags(
                        List.of(
                            "multi_agent_mode=unified",
                            "grpc_port=0",
                            "toc.rollup_debounce=10ms")))));
    parts.add(daemon);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
    parts.clear();
  }

  private MemoryClient client(Optional<WorkspaceName> workspace) {
    MemoryClient client = MemoryClient.connect(Endpoint.find(data).withWorkspace(workspace));
    parts.add(client);
    return client;
  }

  private MemoryClient unnamed() {
    return client(Optional.empty());
  }

  private static void awaitComplete(MemoryClient client) {
    Await.until("the contents are complete", () -> client.admin().status().tocComplete());
  }

  @Test
  void sameEventFromTwoAgents_isTwo_andWhoNamesNoneSeesBoth() {
    Event other = TestEvents.withText(EVENT, "We decided against any retries, says beta.");
    assertThat(client(Optional.of(ALPHA)).ingest().append(EVENT))
        .isEqualTo(new Receipt.Created(EVENT.id()));
    assertThat(client(Optional.of(BETA)).ingest().append(other))
        .isEqualTo(new Receipt.Created(EVENT.id()));
    assertThat(client(Optional.of(BETA)).ingest().append(other))
        .isEqualTo(new Receipt.AlreadyKnown(EVENT.id()));
    assertThat(client(Optional.of(BETA)).ingest().append(EVENT))
        .isEqualTo(new Receipt.Conflict(EVENT.id()));
    MemoryClient all = unnamed();
    assertThat(all.admin().status().refused().last())
        .hasValue("event " + EVENT.id() + " is already stored with different content");
    awaitComplete(all);

    assertThat(all.events().between(TestEvents.START, FAR, PageRequest.of(9)).items())
        .containsExactly(EVENT.in(ALPHA), other.in(BETA));
    assertThat(all.sessions().list(PageRequest.of(9)).items())
        .extracting(Session::id)
        .containsExactly(new SessionId("@alpha/s"), new SessionId("@beta/s"));
    assertThat(all.admin().status().store().events()).isEqualTo(2);
    assertThat(all.admin().verify(9)).isEmpty();
    TocNode year = all.contents().root().getFirst();
    assertThat(all.contents().root()).hasSize(1);
    assertThat(year.agents()).containsExactly(ALPHA, BETA);
    List<TocNode> segments = segments(all);
    assertThat(segments)
        .extracting(node -> node.id().workspace())
        .containsExactly(Optional.of(ALPHA), Optional.of(BETA));
    GripId grip = segments.getLast().grips().getFirst();
    GripContext evidence = all.contents().expand(grip, 3, 3).orElseThrow();
    assertThat(evidence.excerpt()).containsExactly(other.in(BETA));
    assertThat(
            all.contents()
                .node(NodeId.parse("toc:day:2026-01-30@beta").orElseThrow())
                .orElseThrow()
                .children())
        .containsExactly(segments.getLast().id());
  }

  private static List<TocNode> segments(MemoryClient client) {
    List<TocNode> level = client.contents().root();
    while (!level.getFirst().children().isEmpty()) {
      level =
          level.stream()
              .flatMap(node ->
                  client.contents().children(node.id(), PageRequest.first()).items().stream())
              .toList();
    }
    return level;
  }

  @Test
  void eventWithoutAWorkspace_isOfItsAgentElseOfTheDefault() {
    MemoryClient unnamed = unnamed();
    assertThat(unnamed.ingest().append(TestEvents.from(EVENT, "beta", Map.of())))
        .isEqualTo(new Receipt.Created(EVENT.id()));
    assertThat(unnamed.ingest().append(EVENT)).isEqualTo(new Receipt.Created(EVENT.id()));
    assertThatThrownBy(() -> unnamed.ingest().append(TestEvents.from(EVENT, "Claude X", Map.of())))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).hasValue("event.agent"))
        .hasMessageContaining("is not a workspace name");

    assertThat(client(Optional.of(BETA)).sessions().session(EVENT.session()).events()).isEqualTo(1);
    List<WorkspaceReport> workspaces = unnamed.workspaces().list(PageRequest.first()).items();
    assertThat(workspaces)
        .extracting(report -> report.name().value())
        .containsExactly("beta", "default");
    assertThat(workspaces)
        .extracting(WorkspaceReport::content)
        .containsOnly(Optional.of(new WorkspaceReport.Content(1, 1)));
    assertThat(client(Optional.of(BETA)).workspaces().list(PageRequest.first()).items())
        .containsExactly(workspaces.getFirst());
  }

  @Test
  void namedCaller_cannotTouchWhatWorksForAll() {
    MemoryClient alpha = client(Optional.of(ALPHA));
    alpha.ingest().append(EVENT);
    List<Runnable> ofTheWhole =
        List.of(
            () -> alpha.jobs().pause("compaction"),
            () -> alpha.jobs().resume("compaction"),
            () -> alpha.jobs().run("segment_flush"),
            () -> alpha.admin().verify(9),
            alpha.admin()::usage,
            () -> alpha.admin().modelUsage(0),
            alpha.admin()::rebuildToc,
            () -> alpha.admin().scrub(/* dryRun= */ true));
    for (Runnable call : ofTheWhole) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.field()).hasValue("memory-workspace"))
          .hasMessageContaining("omit it");
    }
    unnamed().jobs().run("segment_flush");
    assertThat(unnamed().admin().modelUsage(0).rows()).isEmpty();
    assertThat(alpha.admin().status().summarizer()).isEqualTo(SummarizerReport.EXTRACTIVE);
    assertThat(alpha.jobs().list().jobs()).isNotEmpty().allMatch(job -> job.metadata().isEmpty());
  }

  @Test
  void versions_areOnesOwn_andAPeriodOfAllHasNoneToGoBackTo() {
    MemoryClient alpha = client(Optional.of(ALPHA));
    alpha.ingest().append(EVENT);
    client(Optional.of(BETA)).ingest().append(EVENT);
    awaitComplete(alpha);
    NodeId day = NodeId.parse("toc:day:2026-01-30").orElseThrow();
    TocNode own = alpha.contents().node(day).orElseThrow();
    int version = own.edition().version();
    assertThat(alpha.contents().versions(day, 0, 9).versions()).first().isEqualTo(own);
    assertThat(alpha.contents().version(day, version)).isEqualTo(own);
    assertThat(alpha.contents().revert(day, version).changed()).isFalse();
    assertThatThrownBy(() -> alpha.contents().revert(day.in(BETA), 1))
        .hasMessageContaining("no node");
    assertThatThrownBy(() -> alpha.contents().versions(day.in(BETA), 0, 9))
        .hasMessageContaining("no node");

    MemoryClient all = unnamed();
    TocNode joint = all.contents().node(day).orElseThrow();
    assertThat(all.contents().versions(day, 0, 9).versions()).containsExactly(joint);
    assertThat(all.contents().version(day.in(ALPHA), version).plain()).isEqualTo(own);
    assertThat(all.contents().revert(day.in(ALPHA), version).changed()).isFalse();
    assertThatThrownBy(() -> all.contents().revert(day, 1)).hasMessageContaining("@NAME");
    assertThatThrownBy(() -> all.contents().version(day, 99)).hasMessageContaining("no version 99");
  }

  @Test
  void restart_keepsEverybodysOwn() throws Exception {
    client(Optional.of(ALPHA)).ingest().append(EVENT);
    stop();
    start();
    assertThat(client(Optional.of(ALPHA)).ingest().append(EVENT))
        .isEqualTo(new Receipt.AlreadyKnown(EVENT.id()));
    assertThatThrownBy(() -> client(Optional.of(BETA)).sessions().list(PageRequest.of(9)))
        .hasMessageContaining("there is no workspace beta");
    assertThat(data.resolve("db/@unified/rocksdb")).isDirectory();
    assertThat(data.resolve("db/default")).doesNotExist();
  }

  @Test
  void workspaceOfNoEvent_isUnknownToReads_untilItsFirstEvent() {
    MemoryClient alpha = client(Optional.of(ALPHA));
    assertThatThrownBy(alpha.contents()::root)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    alpha.ingest().append(EVENT);
    assertThat(alpha.sessions().list(PageRequest.of(9)).items()).hasSize(1);
    assertThat(client(Optional.of(new WorkspaceName("default"))).contents().root())
        .as("the workspace of callers that name none is there always")
        .isEmpty();
  }

  @Test
  void workspacesOfAStoreThatIsShared_areNotCreatedAndNotDeletedOnTheirOwn() {
    MemoryClient all = unnamed();
    client(Optional.of(ALPHA)).ingest().append(EVENT);
    assertThatThrownBy(() -> all.workspaces().create(BETA)).hasMessageContaining("share a store");
    assertThatThrownBy(() -> all.workspaces().delete(ALPHA)).hasMessageContaining("share a store");
  }

  @Test
  void storeThatCannotBeOpened_failsItsCallsAndNotTheDaemon() throws Exception {
    client(Optional.of(ALPHA)).ingest().append(EVENT);
    stop();
    Path stranger = Files.writeString(data.resolve("db/@unified/notes.txt"), "mine");
    start();
    MemoryClient all = unnamed();
    assertThat(all.serving()).isFalse();
    all.ping();
    assertThatThrownBy(all.admin()::status)
        .hasMessageContaining("the store of all workspaces")
        .hasMessageContaining("notes.txt");
    assertThat(stranger).hasContent("mine");
    Files.delete(stranger);
    Await.until("it is tried again", () -> isServed(all));
    assertThat(all.admin().status().store().events()).isEqualTo(1);
  }

  private static boolean isServed(MemoryClient client) {
    try {
      var _ = client.contents().root();
      return client.serving();
    } catch (MemoryException e) {
      return false;
    }
  }
}
