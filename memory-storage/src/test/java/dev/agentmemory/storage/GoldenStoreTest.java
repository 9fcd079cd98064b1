package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.GoldenStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoldenStoreTest {

  private static final int EVENTS = GoldenStore.EVENTS;
  private static final EventId OTHER_TIME = new EventId("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final InstantSource CLOCK = () -> Instant.parse("2026-12-01T00:00:00Z");

  @TempDir private Path temp;
  private Path directory;

  @BeforeEach
  void unpack() throws IOException {
    directory = GoldenStore.unpack(temp);
  }

  @Test
  void formatOne_opens_andHoldsWhatItHeld() {
    try (RocksStore store = open()) {
      assertWhole(store);
    }
  }

  @Test
  void formatOne_eventAgain_isKnown_withOtherContentAConflict() {
    try (RocksStore store = open()) {
      Event stored = store.event(OTHER_TIME).orElseThrow();
      assertThat(store.commit(Commit.append(List.of(stored))))
          .containsExactly(new Receipt.AlreadyKnown(OTHER_TIME));
      assertThat(store.commit(Commit.append(List.of(withText(stored, "other words")))))
          .containsExactly(new Receipt.Conflict(OTHER_TIME));
    }
  }

  @Test
  void formatOne_newEventsOnTop_staysWholeOverAnotherOpening() {
    Event event = TestEvents.message("new", CLOCK.instant(), "text");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(event)));
    }
    try (RocksStore store = open()) {
      assertThat(store.event(event.id())).contains(event);
      assertThat(store.stats().events()).isEqualTo(EVENTS + 1);
      assertThat(store.verify(10)).isEmpty();
    }
    assertThat(migrate(/* dryRun= */ true).old()).isEqualTo(EVENTS);
  }

  @Test
  void migrate_dryRun_countsAndChangesNothing() {
    var expected = new MigrationReport(1, StoreHeader.CURRENT_VERSION, EVENTS, EVENTS, 0);
    assertThat(migrate(/* dryRun= */ true)).isEqualTo(expected);
    assertThat(migrate(/* dryRun= */ true)).isEqualTo(expected);
  }

  @Test
  void migrate_rewritesEveryOldRow_once() {
    assertThat(migrate(/* dryRun= */ false))
        .isEqualTo(new MigrationReport(1, StoreHeader.CURRENT_VERSION, EVENTS, EVENTS, 0));
    assertThat(migrate(/* dryRun= */ false))
        .isEqualTo(
            new MigrationReport(StoreHeader.CURRENT_VERSION, StoreHeader.CURRENT_VERSION, 0, 0, 0));
    try (RocksStore store = open()) {
      assertWhole(store);
      Event stored = store.event(OTHER_TIME).orElseThrow();
      assertThat(store.commit(Commit.append(List.of(stored))))
          .containsExactly(new Receipt.AlreadyKnown(OTHER_TIME));
    }
  }

  @Test
  void migrate_noStore_isNotFound_andMakesNone() {
    Path nowhere = temp.resolve("nowhere");
    assertThatThrownBy(() -> RocksStore.migrate(nowhere, StorageConfig.DEFAULT, false))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void migrate_openStore_isRefused() {
    try (RocksStore store = open()) {
      assertThat(store.problem()).isEmpty();
      assertThatThrownBy(() -> migrate(/* dryRun= */ false))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }
  }

  private static void assertWhole(RocksStore store) {
    assertThat(store.verify(10)).isEmpty();
    assertThat(store.stats().events()).isEqualTo(EVENTS);
    List<Event> extra =
        store.events(
            Instant.parse("2026-01-14T09:00:00Z"),
            Instant.parse("2026-01-14T11:00:00Z"),
            Optional.empty(),
            100);
    assertThat(extra)
        .filteredOn(event -> event.session().equals(new SessionId("golden-extra")))
        .hasSize(4)
        .anySatisfy(event -> assertThat(event.text()).contains("\0", "é", "漢字", "🙂"))
        .anySatisfy(event -> assertThat(event.id()).isEqualTo(OTHER_TIME));
    TocNode year = store.node(NodeId.year(2026)).orElseThrow();
    assertThat(year.bullets()).isNotEmpty();
    for (Bullet bullet : year.bullets()) {
      assertThat(bullet.grips()).isNotEmpty().allMatch(grip -> store.grip(grip).isPresent());
    }
  }

  private RocksStore open() {
    return RocksStore.open(directory, StorageConfig.DEFAULT, CLOCK);
  }

  private MigrationReport migrate(boolean dryRun) {
    return RocksStore.migrate(directory, StorageConfig.DEFAULT, dryRun);
  }

  private static Event withText(Event event, String text) {
    return new Event(
        event.id(),
        event.session(),
        event.timestamp(),
        event.type(),
        event.role(),
        text,
        event.metadata(),
        event.agent());
  }
}
