package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.internal.local.TocRecentWork;
import dev.agentmemory.recall.orient.RecentWork.Passage;
import dev.agentmemory.recall.orient.RecentWork.Statement;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was worked on last, from the table of contents of a store on disk.
class TocRecentWorkTest {

  @TempDir private Path data;

  private static List<Event> talk(String session, Instant at, String said) {
    return List.of(
        TestEvents.message(session, at, said),
        TestEvents.answer(session, at.plusSeconds(9), "Noted: " + said),
        TestEvents.end(session, at.plusSeconds(60)));
  }

  private void with(List<Event> events, Consumer<TocRecentWork> use) {
    EngineConfig config = TestConfig.plain(data);
    try (Engine engine = Engine.open(SystemServices.ofMachine(), config, () -> {});
        WorkspaceSource.Lease lease = engine.source().lease(Optional.empty(), Access.READ).join()) {
      assertThat(lease.memory().ingest().append(events).join()).hasSize(events.size());
      Await.until("the contents", () -> lease.memory().admin().status().tocComplete());
    }
    try (RocksStore store =
        RocksStore.open(
            data.resolve("db").resolve("default"), config.storage(), InstantSource.system())) {
      use.accept(
          new TocRecentWork(
              new TocNavigator(store, String::length), store.segments(), store.zone()));
    }
  }

  @Test
  void segments_ofSeveralMonths_areTheLatestFirst_withSessionAndGrips() {
    Instant start = TestEvents.START;
    List<Event> events = new ArrayList<>();
    events.addAll(talk("old", start.minus(Duration.ofDays(400)), "We chose MySQL for billing."));
    events.addAll(talk("a", start.minus(Duration.ofDays(40)), "We moved billing to Postgres."));
    events.addAll(talk("b", start.minus(Duration.ofDays(1)), "The export takes two hours."));
    events.addAll(talk("c", start, "The import of the billing data is not yet tested."));
    with(
        events,
        work -> {
          List<Passage> latest = work.latest(3);
          assertThat(latest)
              .extracting(Passage::session)
              .containsExactly(session("c"), session("b"), session("a"));
          assertThat(latest)
              .extracting(Passage::day)
              .containsExactly(
                  LocalDate.of(2026, 1, 30), LocalDate.of(2026, 1, 29), LocalDate.of(2025, 12, 21));
          for (Passage passage : latest) {
            assertThat(work.toc().node(passage.node())).isPresent();
            assertThat(passage.title()).isNotBlank();
            assertThat(passage.statements()).as(passage.title()).isNotEmpty();
            for (Statement statement : passage.statements()) {
              assertThat(statement.grips())
                  .isNotEmpty()
                  .allMatch(grip -> work.toc().expand(grip, 0, 0).isPresent());
            }
          }
          assertThat(work.latest(20)).hasSize(4).startsWith(latest.toArray(Passage[]::new));
        });
  }

  @Test
  void emptyStore_hasNone() {
    with(List.of(), work -> assertThat(work.latest(5)).isEmpty());
  }

  private static Optional<SessionId> session(String id) {
    return Optional.of(new SessionId(id));
  }
}
