package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The engine as a program uses it that has no daemon.
class EngineTest {

  private static final List<Event> TALK =
      List.of(
          TestEvents.message("s", TestEvents.START, "We decided to retry with jitter."),
          TestEvents.answer("s", TestEvents.START.plusSeconds(9), "Noted: retries have jitter."),
          TestEvents.end("s", TestEvents.START.plusSeconds(60)));

  @TempDir private Path data;

  private Engine open() {
    return Engine.open(SystemServices.ofMachine(), TestConfig.plain(data), () -> {});
  }

  private static void with(Engine engine, Consumer<Memory> use) {
    try (WorkspaceSource.Lease lease =
        engine.source().lease(Optional.empty(), Access.READ).join()) {
      use.accept(lease.memory());
    }
  }

  private static List<Event> events(Memory memory) {
    return memory.events().between(Instant.MIN, Instant.MAX, PageRequest.first()).items();
  }

  private static List<Hit> hits(Memory memory) {
    return memory.search().search(SearchRequest.of("jitter", 5, TestEvents.START)).hits();
  }

  @Test
  void events_areKeptSummarisedAndFound_alsoByTheNextEngine() {
    Engine engine = open();
    with(
        engine,
        memory -> {
          assertThat(memory.ingest().append(TALK).join())
              .hasSize(3)
              .allMatch(Receipt.Created.class::isInstance);
          assertThat(events(memory)).isEqualTo(TALK);
          Await.until("the contents", () -> memory.admin().status().tocComplete());
          TocNode year = memory.contents().root().getFirst();
          assertThat(memory.contents().children(year.id(), PageRequest.first()).items()).hasSize(1);
          Await.until("the index", () -> memory.search().status().events() == 3);
          assertThat(hits(memory).getFirst().session()).contains(TALK.getFirst().session());
          assertThat(memory.admin().verify(0)).isEmpty();
        });
    assertThat(engine.problems()).isEmpty();
    engine.close();
    engine.close();
    try (Engine next = open()) {
      with(
          next,
          memory -> {
            assertThat(events(memory)).isEqualTo(TALK);
            assertThat(memory.contents().root()).hasSize(1);
            assertThat(hits(memory)).isNotEmpty();
          });
    }
  }

  @Test
  void directoryOfAnotherEngine_isRefused_andNothingStaysOpen() {
    Engine first = open();
    MemoryException refusal = catchThrowableOfType(MemoryException.class, this::open);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code().kind()).isEqualTo(ErrorCode.Kind.CONFLICT);
    with(first, memory -> assertThat(memory.ingest().append(TALK).join()).hasSize(3));
    first.close();
    try (Engine next = open()) {
      with(next, memory -> assertThat(events(memory)).isEqualTo(TALK));
    }
  }

  @Test
  void engine_closedWhileItsWorkspaceOpens_leavesNothingOpen() {
    Engine.opening(SystemServices.ofMachine(), TestConfig.plain(data), () -> {}).close();
    try (Engine next = open()) {
      assertThat(next.problems()).isEmpty();
      with(next, memory -> assertThat(memory.ingest().append(TALK).join()).hasSize(3));
    }
  }
}
