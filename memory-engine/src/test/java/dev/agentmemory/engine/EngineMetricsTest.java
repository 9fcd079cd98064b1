package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.api.metrics.Occurrence;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an engine says of itself, in both modes.
class EngineMetricsTest {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final List<Event> EVENTS = TestEvents.messages("s", 3);

  @TempDir private Path data;

  private Engine open(WorkspacesConfig.Mode mode, int maxOpen) {
    var workspaces = new WorkspacesConfig(mode, "default", maxOpen, Duration.ofHours(1));
    return Engine.open(
        SystemServices.ofMachine(),
        TestConfig.of(data, workspaces, TestConfig.NO_EMBEDDING, BackupConfig.DEFAULT),
        () -> {});
  }

  private static void with(Engine engine, WorkspaceName workspace, Consumer<Memory> use) {
    // The threads that open workspaces use them for a moment.
    Await.until("a workspace can be opened", () -> !isFull(lease(engine, workspace)));
    try (WorkspaceSource.Lease lease = lease(engine, workspace).join()) {
      use.accept(lease.memory());
    }
  }

  private static CompletableFuture<WorkspaceSource.Lease> lease(
      Engine engine, WorkspaceName workspace) {
    return engine.source().lease(Optional.of(workspace), Access.WRITE);
  }

  private static boolean isFull(CompletableFuture<WorkspaceSource.Lease> lease) {
    try (WorkspaceSource.Lease _ = MemoryException.join(lease)) {
      return false;
    } catch (MemoryException e) {
      return e.code() == ErrorCode.QUEUE_FULL;
    }
  }

  private static void store(Memory memory) {
    assertThat(memory.ingest().append(EVENTS).join()).hasSize(EVENTS.size());
  }

  private static List<String> names(EngineMetrics metrics) {
    return metrics.workspaces().stream().map(WorkspaceMetrics::workspace).sorted().toList();
  }

  private static long runs(EngineMetrics metrics) {
    return metrics
        .occurrences()
        .getOrDefault(new OccurrenceKey(Occurrence.JOB_SUCCEEDED, "compaction"), 0L);
  }

  @Test
  void eventsAndSearches_areMeasured_whicheverWorkspaceTheyAreOf() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE, 16)) {
      with(engine, ALPHA, EngineMetricsTest::store);
      with(
          engine,
          BETA,
          memory -> {
            store(memory);
            store(memory);
            memory.search().search(SearchRequest.of("message", 5, TestEvents.START));
          });
      EngineMetrics metrics = engine.metrics();
      assertThat(names(metrics)).containsExactly("alpha", "beta", "default");
      assertThat(metrics.states()).isEqualTo(new EngineMetrics.WorkspaceStates(3, 3, 0));
      assertThat(metrics.ingest().stored()).isEqualTo(6);
      assertThat(metrics.ingest().known()).isEqualTo(3);
      assertThat(metrics.ingest().durations().count()).isEqualTo(3);
      assertThat(metrics.queries().count()).isEqualTo(1);
      assertThat(metrics.writes().durations().count()).isGreaterThanOrEqualTo(3);
      assertThat(metrics.writes().syncs().sum()).isPositive();
      assertThat(metrics.blockCache().usedBytes()).isPositive();
      WorkspaceMetrics beta =
          metrics.workspaces().stream()
              .filter(one -> one.workspace().equals("beta"))
              .findFirst()
              .orElseThrow();
      assertThat(beta.size().events()).isEqualTo(3);
      assertThat(beta.size().activeSessions()).isEqualTo(1);
      assertThat(beta.storage().memtableBytes()).isPositive();
    }
  }

  @Test
  void lag_endsWhenTheConsumersHaveAppliedAll() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE, 16)) {
      with(engine, ALPHA, EngineMetricsTest::store);
      Await.until(
          "no lag",
          () ->
              engine.metrics().workspaces().stream()
                  .flatMap(one -> one.progress().consumers().values().stream())
                  .allMatch(lag -> lag.entries() == 0 && lag.time().isZero()));
      assertThat(engine.metrics().workspaces().getFirst().progress().consumers()).hasSize(2);
    }
  }

  /// What a counter of a closed workspace had must stay in the sum, and what a job did before the
  /// workspace was opened must not be counted again.
  @Test
  void sums_neverDecrease_whenAWorkspaceIsClosedAndOpened() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE, 1)) {
      with(engine, ALPHA, memory -> memory.jobs().run("compaction"));
      assertThat(runs(engine.metrics())).isEqualTo(1);
      with(engine, BETA, EngineMetricsTest::store);
      assertThat(names(engine.metrics())).containsExactly("beta");
      assertThat(runs(engine.metrics())).isEqualTo(1);
      with(engine, ALPHA, memory -> assertThat(runs(engine.metrics())).isEqualTo(1));
      with(engine, ALPHA, memory -> memory.jobs().run("compaction"));
      assertThat(runs(engine.metrics())).isEqualTo(2);
    }
  }

  @Test
  void workspaceThatCannotBeOpened_isCounted_andTheOthersAreMeasured() throws IOException {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE, 16)) {
      with(engine, ALPHA, EngineMetricsTest::store);
    }
    Files.delete(data.resolve("db/alpha/rocksdb/CURRENT"));
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE, 16)) {
      assertThatThrownBy(() -> with(engine, ALPHA, EngineMetricsTest::store))
          .hasMessageContaining("CURRENT");
      EngineMetrics metrics = engine.metrics();
      assertThat(names(metrics)).containsExactly("default");
      assertThat(metrics.states()).isEqualTo(new EngineMetrics.WorkspaceStates(2, 1, 1));
    }
  }

  @Test
  void workspacesThatShareAStore_areMeasuredAsOne() {
    try (Engine engine = open(WorkspacesConfig.Mode.UNIFIED, 16)) {
      with(engine, ALPHA, EngineMetricsTest::store);
      with(
          engine,
          BETA,
          memory -> memory.search().search(SearchRequest.of("message", 5, TestEvents.START)));
      EngineMetrics metrics = engine.metrics();
      assertThat(names(metrics)).containsExactly("@unified");
      assertThat(metrics.states()).isEqualTo(new EngineMetrics.WorkspaceStates(1, 1, 0));
      assertThat(metrics.workspaces().getFirst().size().events()).isEqualTo(3);
      assertThat(metrics.ingest().stored()).isEqualTo(3);
      assertThat(metrics.queries().count()).isEqualTo(1);
    }
  }
}
