package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A store that workspaces share has rows that cannot be read. What is told of them to one
/// workspace names no key, session or name of another.
@Tag("slow")
class SharedDamageTest {

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");
  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final NodeId DAY = NodeId.parse("toc:day:2026-01-30").orElseThrow();
  private static final int EVENTS = 40;

  @TempDir private Path data;

  private Daemon start() {
    return Daemon.start(
        ConfigLoader.load(
            data,
            List.of(
                SettingSource.flags(
                    List.of(
                        "multi_agent_mode=unified",
                        "grpc_port=0",
                        "search.embeddings=none",
                        "toc.rollup_debounce=10ms")))));
  }

  private MemoryClient client(Optional<WorkspaceName> workspace) {
    return MemoryClient.connect(Endpoint.find(data).withWorkspace(workspace));
  }

  /// Sessions and words of each workspace bear its name.
  private static List<Event> talk(WorkspaceName of) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(
          TestEvents.message(
              "of-" + of,
              TestEvents.START.plusSeconds(i),
              "We decided that " + of + " number " + i + " retries four times."));
    }
    return events;
  }

  private void fill() {
    try (Daemon daemon = start();
        MemoryClient all = client(Optional.empty())) {
      assertThat(daemon.port()).isPositive();
      for (WorkspaceName name : List.of(ALPHA, BETA)) {
        try (MemoryClient client = client(Optional.of(name))) {
          talk(name).forEach(client.ingest()::append);
        }
      }
      Await.until("the contents are complete", () -> all.admin().status().tocComplete());
      all.jobs().run("compaction");
    }
  }

  private void damage(String table) throws Exception {
    DamagedTables.damage(data.resolve("db/@unified"), table);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "events",
        "sessions",
        "conversations",
        "segments",
        "toc_nodes",
        "toc_latest",
        "grips"
      })
  void answers_tableDamaged_nameNothingOfAnotherWorkspace(String table) throws Exception {
    fill();
    List<String> told = new ArrayList<>();
    GripId grip;
    SegmentId segment;
    try (Daemon daemon = start();
        MemoryClient alpha = client(Optional.of(ALPHA))) {
      assertThat(daemon.port()).isPositive();
      grip = alpha.contents().node(DAY).orElseThrow().grips().getFirst();
      segment =
          alpha.sessions().segments(session(ALPHA), PageRequest.of(9)).items().getFirst().id();
    }
    damage(table);
    try (Daemon daemon = start();
        MemoryClient alpha = client(Optional.of(ALPHA))) {
      assertThat(daemon.port()).isPositive();
      for (Supplier<Object> call : calls(alpha, grip, segment)) {
        told.add(said(call));
      }
    }
    assertThat(told).allSatisfy(text -> assertThat(text).doesNotContain("beta", "rows between"));
    assertThat(told).anyMatch(text -> text.contains("cannot be read"));
  }

  private static List<Supplier<Object>> calls(MemoryClient alpha, GripId grip, SegmentId segment) {
    return List.of(
        () -> alpha.events().between(TestEvents.START, FAR, PageRequest.of(100)),
        () -> alpha.sessions().list(PageRequest.of(100)),
        () -> alpha.sessions().session(session(ALPHA)),
        () -> alpha.sessions().session(session(BETA)),
        () -> alpha.sessions().segments(session(ALPHA), PageRequest.of(100)),
        () -> alpha.sessions().segments(TestEvents.START, FAR, PageRequest.of(100)),
        () -> alpha.sessions().segment(segment),
        alpha.contents()::root,
        () -> alpha.contents().node(DAY),
        () -> alpha.contents().node(DAY.in(BETA)),
        () -> alpha.contents().children(DAY, PageRequest.of(100)),
        () -> alpha.contents().versions(DAY, 0, 100),
        () -> alpha.contents().expand(grip, 50, 50),
        () -> alpha.search().search(SearchRequest.of("retries", 20, FAR)),
        alpha.admin()::status,
        alpha.search()::status,
        alpha.jobs()::list,
        () -> alpha.workspaces().list(PageRequest.first()),
        () -> alpha.ingest().append(talk(ALPHA).getFirst()));
  }

  private static SessionId session(WorkspaceName of) {
    return new SessionId("of-" + of);
  }

  /// The answer or the refusal, and what it says about rows that cannot be read.
  private static String said(Supplier<Object> call) {
    var passed = new PassedOver();
    String answer =
        passed.during(() -> {
          try {
            return String.valueOf(call.get());
          } catch (MemoryException e) {
            // It repeats what was sent.
            return String.valueOf(e.getMessage()).replace("of-beta", "").replace("@beta", "");
          }
        });
    return answer + passed.ranges();
  }

  @Test
  void events_damaged_keysAreToldToWhoNamesNoWorkspace_andTheTableToWhoDoes() throws Exception {
    fill();
    damage("events");
    try (Daemon daemon = start();
        MemoryClient alpha = client(Optional.of(ALPHA));
        MemoryClient all = client(Optional.empty())) {
      assertThat(daemon.port()).isPositive();
      assertThat(damaged(alpha)).containsExactly(new DamagedRange("events", "", "", untold()));
      assertThat(damaged(all))
          .isNotEmpty()
          .allSatisfy(range -> assertThat(range.from() + range.to()).contains("@"));
    }
  }

  private static String untold() {
    return "some rows cannot be read; call without memory-workspace (--workspace) for details";
  }

  private static List<DamagedRange> damaged(MemoryClient client) {
    var passed = new PassedOver();
    var _ =
        passed.during(() -> client.events().between(TestEvents.START, FAR, PageRequest.of(100)));
    return passed.ranges();
  }

  /// That a workspace has no session may mean that its sessions cannot be read.
  @Test
  void workspace_sessionsDamaged_isNotSaidToBeUnknown() throws Exception {
    fill();
    damage("conversations");
    try (Daemon daemon = start();
        MemoryClient alpha = client(Optional.of(ALPHA))) {
      assertThat(daemon.port()).isPositive();
      var passed = new PassedOver();
      var sessions = passed.during(() -> alpha.sessions().list(PageRequest.of(9)));
      assertThat(sessions.items()).isEmpty();
      assertThat(passed.ranges()).isNotEmpty();
      assertThat(alpha.events().between(TestEvents.START, FAR, PageRequest.of(100)).items())
          .hasSize(EVENTS);
    }
  }
}
