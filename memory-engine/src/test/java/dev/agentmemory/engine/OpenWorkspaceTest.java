package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What works on a store by itself, and what it says when it cannot.
class OpenWorkspaceTest {

  @TempDir private Path data;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger opened = new AtomicInteger();
  private final ImportDeferral.Activity imports = new ImportDeferral.Activity(nanos::get);

  @Test
  void storeThatTakesNoWrites_isAProblemOfTheWorkspaceWhileItLasts() {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (var store = new HeapStore(ZoneOffset.UTC);
        var workspace = open(store, told::add)) {
      assertThat(workspace.problems()).isEmpty();
      store.refuseCommits("no more writes; make room");
      assertThat(workspace.memory().admin().status().problems())
          .containsExactly("no more writes; make room");
      store.takeCommits();
      assertThat(workspace.problems()).isEmpty();
      assertThat(told).isEmpty();
    }
  }

  @Test
  void importedEvents_waitForTheContentsAndTheIndex_untilTheImportIsOver() {
    try (var store = new HeapStore(ZoneOffset.UTC);
        var workspace = open(store, _ -> {});
        var otherStore = new HeapStore(ZoneOffset.UTC);
        var other = open(otherStore, _ -> {})) {
      // An index that is opened after the first event starts behind it.
      workspace.memory().ingest().append(TestEvents.message("s", TestEvents.START, "before"));
      Await.until("the index", () -> isFollowed(workspace));
      workspace.memory().ingest().importing();
      workspace.memory().ingest().append(TestEvents.message("s", TestEvents.START, "imported"));
      other.memory().ingest().append(TestEvents.message("s", TestEvents.START, "said"));
      Await.until("the other workspace", () -> isFollowed(other));

      DaemonReport report = workspace.memory().admin().status();
      assertThat(report.consumers()).allSatisfy((_, cursor) -> assertThat(cursor).isOne());
      assertThat(report.waitsFor()).hasValueSatisfying(why -> assertThat(why).contains("import"));
      assertThat(other.memory().admin().status().waitsFor()).isEmpty();

      nanos.addAndGet(ImportDeferral.SILENCE.toNanos());
      assertThat(workspace.memory().admin().status().waitsFor()).isEmpty();
      Await.until("what was imported", () -> isFollowed(workspace));
    }
  }

  /// The rest is so long that the job does not run by itself.
  @Test
  void openSegment_withASecondEvent_isNotCompleteUntilItsDigestIsStored() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Instant before = now.minusSeconds(1);
    try (var store = new HeapStore(ZoneOffset.UTC);
        var workspace = open(store, TestConfig.withRest(data, Duration.ofHours(1)), _ -> {})) {
      workspace.memory().ingest().append(TestEvents.message("s", before, "We chose MySQL."));
      Await.until("the first event", () -> isComplete(workspace));
      workspace.memory().ingest().append(TestEvents.message("s", now, "We need a backup."));
      Await.until("the second event", () -> isFollowed(workspace));

      assertThat(isComplete(workspace)).isFalse();
      NodeId node = store.toc().dirty(TocLevel.SEGMENT, 9).getFirst();
      assertThat(store.toc().node(node).orElseThrow().span().end()).isEqualTo(before);

      assertThat(workspace.memory().jobs().run("segment_digest")).containsEntry("segments", "1");
      assertThat(store.toc().node(node).orElseThrow().span().end()).isEqualTo(now);
      Await.until("the rollups", () -> isComplete(workspace));
    }
  }

  private static boolean isComplete(OpenWorkspace workspace) {
    return workspace.memory().admin().status().tocComplete();
  }

  private static boolean isFollowed(OpenWorkspace workspace) {
    DaemonReport report = workspace.memory().admin().status();
    return report.consumers().values().stream()
        .allMatch(cursor -> cursor == report.store().outboxHead());
  }

  @Test
  void storeThatFailsWhileItsWorkIsStarted_leavesNoThread() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (var heap = new HeapStore(ZoneOffset.UTC)) {
      assertThatThrownBy(() -> open(withoutFiles(heap), _ -> {})).hasMessage("no list of files");
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> !before.contains(thread))
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("memory-outbox") || name.startsWith("memory-clock"));
  }

  private OpenWorkspace open(MemoryStore store, Consumer<String> onProblem) {
    return open(store, EngineConfig.defaults(data), onProblem);
  }

  private OpenWorkspace open(MemoryStore store, EngineConfig config, Consumer<String> onProblem) {
    var embedding = new EmbeddingThread(System::nanoTime, Optional.empty());
    return new OpenWorkspace(
        SystemServices.ofMachine(),
        store,
        data.resolve("index-" + opened.incrementAndGet()),
        TestConfig.context(config, embedding, data, imports),
        Optional.of(new WorkspaceName("default")),
        Ownership.EXCLUSIVE,
        Optional.empty(),
        onProblem);
  }

  /// The same store, whose files cannot be listed.
  private static MemoryStore withoutFiles(MemoryStore store) {
    return InterceptedStore.of(
        store,
        (method, _, call) -> {
          if (method.equals("files")) {
            throw new MemoryException(ErrorCode.STORAGE_FAILED, "no list of files");
          }
          return call.make();
        });
  }
}
