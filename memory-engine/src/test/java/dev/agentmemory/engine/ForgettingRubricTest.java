package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cases that a system which remembers for people has to pass when it has to forget. None needs a
/// model.
class ForgettingRubricTest {

  private static final String GONE = "quetzalcoatlus";
  private static final String KEPT = "pangolin";
  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");

  @TempDir private Path data;

  private ErasureFixture fixture;
  private final HeapStore store = new HeapStore(ZoneOffset.UTC);

  @BeforeEach
  void fixture() {
    fixture = new ErasureFixture(data);
  }

  private OpenWorkspace open() {
    return fixture.open(store, Optional.of(new WorkspaceName("default")));
  }

  private static List<Event> gone() {
    return ErasureFixture.session("gone", TestEvents.START, GONE);
  }

  private void fill(OpenWorkspace workspace) {
    var _ = workspace.memory().ingest().append(gone()).join();
    var _ =
        workspace
            .memory()
            .ingest()
            .append(ErasureFixture.session("kept", TestEvents.START.plusSeconds(7200), KEPT))
            .join();
    ErasureFixture.await(workspace);
    Await.until("a memory of it", () -> memories(store).contains(GONE));
  }

  private static String memories(MemoryStore store) {
    return store.records().records("memory:", Optional.empty(), 1000).toString();
  }

  private static ForgetReceipt forget(LocalMemory memory, Forgetting what) {
    return memory.admin().forget(what, /* dryRun= */ false, /* wait= */ true);
  }

  private static Forgetting session() {
    return Forgetting.of(new SessionId("gone"));
  }

  private static Forgetting memory(MemoryId id) {
    return new Forgetting(
        Set.of(),
        Set.of(id),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        /* all= */ false,
        "");
  }

  private static boolean isThere(LocalMemory memory) {
    try {
      var _ = memory.sessions().session(new SessionId("gone"));
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
      return false;
    }
  }

  private static MemoryUpdate text(String text) {
    return new MemoryUpdate(
        Optional.of(MemoryContent.of(text)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static long hits(LocalMemory memory, String word) {
    return memory.search().search(SearchRequest.of(word, 10, Instant.now())).hits().size();
  }

  @Test
  void crossTenant_absent_andForgettingOfOneTouchesNoOther() {
    try (var whole = fixture.open(store, Optional.empty())) {
      var shared = new SharedMemory(whole, new BpeTokens(), new ExtractiveSummarizer(), ALPHA);
      LocalMemory alpha = shared.of(ALPHA);
      LocalMemory beta = shared.of(BETA);
      var _ = alpha.ingest().append(gone()).join();
      var _ = beta.ingest().append(gone()).join();
      ErasureFixture.await(whole);

      assertThat(forget(alpha, session()).events()).isEqualTo(gone().size());

      assertThat(isThere(alpha)).isFalse();
      assertThat(isThere(beta)).isTrue();
      assertThat(hits(alpha, GONE)).isZero();
      assertThat(hits(beta, GONE)).isPositive();
      assertThat(alpha.ingest().append(gone()).join()).allMatch(Receipt.Erased.class::isInstance);
      assertThat(beta.ingest().append(gone()).join())
          .allMatch(Receipt.AlreadyKnown.class::isInstance);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void caller_cannotWidenItsScope() {
    try (var whole = fixture.open(store, Optional.empty())) {
      var shared = new SharedMemory(whole, new BpeTokens(), new ExtractiveSummarizer(), ALPHA);
      var _ = shared.of(BETA).ingest().append(gone()).join();
      LocalMemory alpha = shared.of(ALPHA);
      assertThat(forget(alpha, session()).isEmpty()).isTrue();
      assertThat(forget(alpha, Forgetting.of(gone().getFirst().id())).isEmpty()).isTrue();
      assertThatThrownBy(() -> forget(shared.joint(), session()))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.field()).hasValue("memory-workspace"));
      assertThat(store.stats().events()).isEqualTo(gone().size());
    }
  }

  @Test
  void backgroundWork_doesNotBringItBack() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), session());
      workspace.memory().jobs().list().jobs().stream()
          .map(job -> job.name())
          .filter(name -> !name.endsWith("_projection"))
          .forEach(name -> {
            var _ = workspace.memory().jobs().run(name);
          });
      ErasureFixture.await(workspace);
      assertThat(ErasureFixture.said(store)).contains(KEPT).doesNotContain(GONE);
    }
  }

  @Test
  void everyClaim_resolvesToItsSource_afterwards() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), Forgetting.of(gone().get(4).id()));
      ErasureFixture.await(workspace);
      List<Grip> grips = store.derived().grips(Optional.empty(), 1000);
      assertThat(grips).isNotEmpty();
      for (Grip grip : grips) {
        assertThat(store.events().event(grip.first()).orElseThrow().text())
            .contains(grip.excerpt());
      }
    }
  }

  @Test
  void deletionOfASource_reachesWhatWasDerived() {
    try (var workspace = open()) {
      fill(workspace);
      List<Event> evidence = gone();
      Event preference = evidence.get(evidence.size() - 2);
      assertThat(memories(store)).contains(preference.id().value());
      assertThat(forget(workspace.memory(), Forgetting.of(preference.id())).memories())
          .isPositive();
      assertThat(memories(store)).doesNotContain(preference.id().value());
    }
  }

  @Test
  void rebuild_makesItFromWhatIsRetained() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), session());
      var _ = workspace.memory().admin().rebuildToc();
      var _ = workspace.memory().search().rebuild();
      ErasureFixture.await(workspace);
      assertThat(ErasureFixture.said(store)).contains(KEPT).doesNotContain(GONE);
      assertThat(hits(workspace.memory(), KEPT)).isPositive();
    }
  }

  @Test
  void tombstone_survivesLaundering() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), session());
      List<Event> laundered =
          gone().stream()
              .filter(event -> event.text().contains(GONE))
              .map(event -> {
                var id = TestEvents.id(event.timestamp().plusMillis(3), 5);
                String text = " \t" + event.text().toUpperCase(Locale.ROOT).replace(" ", "\u00a0 ");
                return TestEvents.from(
                    TestEvents.withText(TestEvents.withId(event, id), text), "other", Map.of());
              })
              .toList();
      assertThat(workspace.memory().ingest().append(laundered).join())
          .allMatch(Receipt.Erased.class::isInstance);
    }
  }

  @Test
  void forgottenMemory_isNotExtractedAgain() {
    try (var workspace = open()) {
      fill(workspace);
      MemoryId id =
          store.records().records("memory:", Optional.empty(), 100).stream()
              .filter(row -> row.value().contains(GONE))
              .map(row -> MemoryId.of(row.key().substring("memory:".length())))
              .findFirst()
              .orElseThrow();
      assertThat(forget(workspace.memory(), memory(id)).memories()).isEqualTo(1);
      var _ = workspace.memory().admin().rebuildToc();
      var _ = workspace.memory().jobs().run("memory_extraction");
      assertThat(memories(store)).doesNotContain(id.value());
    }
  }

  @Test
  void deletion_isAbsentAfterReindexAndRestart() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), session());
    }
    try (var workspace = open()) {
      var _ = workspace.memory().search().rebuild();
      assertThat(hits(workspace.memory(), GONE)).isZero();
      assertThat(isThere(workspace.memory())).isFalse();
      assertThat(ErasureFixture.said(store)).doesNotContain(GONE);
    }
  }

  @Test
  void correction_survivesReindex_andForgettingItErasesItsFormerStates() {
    try (var workspace = open()) {
      var memories = workspace.memory().recall().memories();
      MemoryRecord first = memories.remember(MemoryDraft.of("The port is 4711 " + GONE));
      var _ = memories.update(first.id(), text("The port is 4712"));
      var _ = memories.rebuildIndex();
      assertThat(memories.get(first.id()).content().text()).contains("4712");
      assertThat(ErasureFixture.said(store)).contains(GONE);
      var _ = forget(workspace.memory(), memory(first.id()));
      assertThat(ErasureFixture.said(store)).doesNotContain(GONE, "4712");
    }
  }

  @Test
  void limit_isAnUpperBound() {
    try (var workspace = open()) {
      fill(workspace);
      var _ = forget(workspace.memory(), session());
      for (int limit = 1; limit < 8; limit++) {
        assertThat(
                workspace
                    .memory()
                    .search()
                    .search(SearchRequest.of(KEPT, limit, Instant.now()))
                    .hits())
            .hasSizeLessThanOrEqualTo(limit);
      }
    }
  }
}
