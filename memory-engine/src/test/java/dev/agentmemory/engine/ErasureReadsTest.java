package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What clients are answered after each commit of an erasure that was decided. Memories go with the
/// commits that come first.
class ErasureReadsTest {

  /// Occurs in the events to erase only.
  private static final String GONE = "quetzalcoatlus";

  /// Occurs in the others.
  private static final String KEPT = "pangolin";

  private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir private Path data;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final List<String> answers = new ArrayList<>();
  private final AtomicReference<Supplier<String>> asking = new AtomicReference<>(() -> "");
  private final AtomicBoolean isAsking = new AtomicBoolean();

  /// What no memory has any more.
  private String extracted = GONE;

  private boolean wasStored;
  private ErasureFixture fixture;

  @BeforeEach
  void fixture() {
    fixture = new ErasureFixture(data);
  }

  /// Asks after each commit that follows the decision and the end of the memories.
  private MemoryStore watched() {
    return InterceptedStore.of(
        store,
        (method, _, call) -> {
          boolean decided =
              method.equals("commit") && store.records().record("erasure:plan").isPresent();
          Object made = call.make();
          if (decided && !memories().contains(extracted) && isAsking.compareAndSet(false, true)) {
            answers.add(asking.get().get());
            wasStored |= ErasureFixture.said(store).contains(GONE);
            isAsking.set(false);
          }
          return made;
        });
  }

  private String memories() {
    return store
        .records()
        .records("memory:", Optional.empty(), 99)
        .toString()
        .toLowerCase(Locale.ROOT);
  }

  private OpenWorkspace filled() {
    OpenWorkspace workspace = fixture.open(watched(), Optional.of(new WorkspaceName("default")));
    LocalMemory memory = workspace.memory();
    var _ =
        memory
            .ingest()
            .append(ErasureFixture.session("kept", TestEvents.START.plusSeconds(7200), KEPT))
            .join();
    var _ = memory.ingest().append(gone()).join();
    ErasureFixture.await(workspace);
    Await.until("a memory of it", () -> memories().contains(GONE));
    Await.until("it in the index", () -> search(memory).contains(GONE));
    return workspace;
  }

  private static List<Event> gone() {
    return ErasureFixture.session("gone", TestEvents.START, GONE);
  }

  private static String search(LocalMemory memory) {
    return memory.search().search(SearchRequest.of(GONE + " gateway", 50, END)).hits().toString();
  }

  private static void children(Contents contents, List<TocNode> nodes, StringBuilder said) {
    for (TocNode node : nodes) {
      said.append(node).append(contents.versions(node.id(), 0, 0));
      children(contents, contents.children(node.id(), PageRequest.first()).items(), said);
    }
  }

  private static String said(Supplier<?> call) {
    try {
      return call.get().toString();
    } catch (MemoryException e) {
      return e.code().toString();
    }
  }

  /// All that clients can read, asked for in general and by the ids of before.
  private static String everything(LocalMemory memory, List<GripId> grips, List<NodeId> segments) {
    var said = new StringBuilder();
    said.append(memory.events().between(Instant.EPOCH, END, PageRequest.first()).items());
    gone().forEach(event -> said.append(said(() -> memory.events().event(event.id()))));
    said.append(memory.sessions().list(PageRequest.first()).items());
    said.append(said(() -> memory.sessions().session(new SessionId("gone"))));
    said.append(memory.sessions().segments(new SessionId("gone"), PageRequest.first()).items());
    children(memory.contents(), memory.contents().root(), said);
    segments.forEach(id -> said.append(memory.contents().node(id)));
    grips.forEach(id -> said.append(memory.contents().expand(id, 5, 5)));
    said.append(search(memory));
    said.append(
        memory.search().context(ContextRequest.of(GONE + " gateway", 2000, END)).markdown());
    said.append(
        memory.recall().memories().list(MemoryFilter.builder().build(), PageRequest.first()));
    return said.toString().toLowerCase(Locale.ROOT);
  }

  private void assertLeftOut(Forgetting what, String text) {
    try (var workspace = filled()) {
      List<GripId> grips =
          store.derived().grips(Optional.empty(), 1000).stream().map(Grip::id).toList();
      List<NodeId> segments =
          store.derived().nodeVersions(Optional.empty(), 1000).stream()
              .map(TocNode::id)
              .distinct()
              .toList();
      LocalMemory memory = workspace.memory();
      assertThat(everything(memory, grips, segments)).contains(text, KEPT);
      asking.set(() -> everything(memory, grips, segments));
      var _ = memory.admin().forget(what, /* dryRun= */ false, /* wait= */ true);
      assertThat(answers).hasSizeGreaterThan(5).allMatch(answer -> answer.contains(KEPT));
      assertThat(answers).noneMatch(answer -> answer.contains(text));
      assertThat(wasStored).isTrue();
    }
  }

  @Test
  void session_isLeftOutOfAnswers_fromTheDecisionOn() {
    assertLeftOut(Forgetting.of(new SessionId("gone")), GONE);
  }

  @Test
  void oneEvent_isLeftOutOfAnswers_fromTheDecisionOn() {
    Event first = gone().get(2);
    extracted = "\0";
    assertLeftOut(Forgetting.of(first.id()), first.text().toLowerCase(Locale.ROOT));
  }
}
