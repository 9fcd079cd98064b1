package dev.agentmemory.rocksdb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/// One bit flips in one of several files whose ranges of keys overlap: rows of the other files are
/// found, and the call is told what was left out.
@Tag("slow")
class DamagedFileTest {

  private static final int BATCH = 600;
  private static final int BATCHES = 4;
  private static final Instant END = TestEvents.START.plusSeconds(BATCH * BATCHES);
  private static final SessionId SESSION = new SessionId("one");

  @TempDir private Path directory;

  /// Every file has events from the beginning to the end of the time. The last batch is in no file.
  private final List<Event> events = new ArrayList<>();

  @BeforeEach
  void fill() throws RocksDBException {
    var random = new Random(7);
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Event> next = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        Instant at = TestEvents.START.plusSeconds((long) i * BATCHES + batch);
        String words =
            String.format(Locale.ROOT, "%016x %016x", random.nextLong(), random.nextLong());
        next.add(TestEvents.message(SESSION.value(), at, "message " + words.repeat(3)));
      }
      try (Database engine = commit(next)) {
        if (batch < BATCHES - 1) {
          flush(engine);
        }
      }
      events.addAll(next);
    }
    events.sort(Comparator.comparing(Event::key));
  }

  private Database commit(List<Event> next) {
    try (RocksStore store = open()) {
      store.commit(Commit.append(next));
    }
    return Database.open(tables(), StorageConfig.DEFAULT);
  }

  private static void flush(Database engine) throws RocksDBException {
    try (var waiting = new FlushOptions().setWaitForFlush(true)) {
      for (Table table : List.of(Table.EVENTS, Table.SESSIONS)) {
        engine.db().flush(waiting, engine.handle(table));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"EVENTS, Data", "EVENTS, Filter", "SESSIONS, Data"})
  void listing_oneBlockDamaged_rowsOfOtherFilesAreThere(Table table, String block) {
    TableFiles.damageBlock(TableFiles.files(tables(), table).get(1), block);
    try (RocksStore store = open()) {
      var passed = new PassedOver();
      List<EventKey> found = passed.during(() -> listed(store, table));
      assertListed(found, passed.ranges(), table, block);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Index", "CompressionDictionary"})
  void listing_fileCannotBeOpened_rowsOfOtherFilesAreThere(String block) throws RocksDBException {
    try (RocksStore store = open()) {
      store.compact();
    }
    List<Event> later = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      later.add(
          TestEvents.message(SESSION.value(), TestEvents.START.plusMillis(i * 4000L + 7), "later"));
    }
    try (Database engine = commit(later)) {
      flush(engine);
    }
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).getFirst(), block);
    try (RocksStore store = open()) {
      var passed = new PassedOver();
      List<EventKey> found = passed.during(() -> listed(store, Table.EVENTS));
      assertThat(found).containsExactlyElementsOf(later.stream().map(Event::key).toList());
      assertThat(passed.ranges())
          .singleElement()
          .satisfies(range -> {
            assertThat(range.from()).isEqualTo(Keys.text(Keys.event(events.getFirst().key())));
            assertThat(range.to()).isEqualTo(Keys.text(Keys.event(events.getLast().key())));
            assertThat(range.reason()).contains("(" + block + ")");
          });
      events.forEach(event -> assertCorrupt(store, event));
      assertThat(store.events().event(later.getFirst().id())).isPresent();
    }
  }

  /// It refuses to keep its files from being deleted; nobody deletes them there.
  @ParameterizedTest
  @EnumSource(CorruptionSkipper.Direction.class)
  void scan_databaseOpenForReadingOnly_rowsOfOtherFilesAreThere(
      CorruptionSkipper.Direction direction) throws RocksDBException {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).get(1), "Data");
    List<EventKey> found = new ArrayList<>();
    List<DamagedRange> ranges = new ArrayList<>();
    Cursor.Visitor visitor = row -> found.add(place(row));
    Database.readDamaged(
        tables(),
        StorageConfig.DEFAULT,
        reading -> {
          var view = new View(RocksReader.of(reading), (table, range, why) -> ranges.add(range));
          switch (direction) {
            case UP -> view.scanAll(Table.EVENTS, visitor);
            case DOWN -> view.scanBack(Table.EVENTS, new byte[0], Keys.eventsTo(END), visitor);
          }
        });
    if (direction == CorruptionSkipper.Direction.DOWN) {
      Collections.reverse(found);
    }
    assertListed(found, ranges, Table.EVENTS, "Data");
  }

  private static EventKey place(Cursor row) {
    EventKey bare = Keys.toEvent(row.key());
    long position = EventCodec.position(row.head(EventCodec.HEAD_LENGTH));
    return new EventKey(bare.timestamp(), position, bare.id());
  }

  @Test
  void sessionBackwards_oneBlockDamaged_rowsOfOtherFilesAreThere() {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.SESSIONS).get(1), "Data");
    try (RocksStore store = open()) {
      var passed = new PassedOver();
      EventKey end = TestEvents.message("x", END, "").key();
      List<EventKey> found =
          passed.during(() -> store.sessions().eventsBefore(SESSION, end, BATCH * BATCHES));
      assertListed(found, passed.ranges(), Table.SESSIONS, "Data");
    }
  }

  @Test
  void pages_oneBlockDamaged_areTogetherTheWholeList() {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).get(1), "Data");
    try (RocksStore store = open()) {
      List<EventKey> whole = listed(store, Table.EVENTS);
      List<EventKey> paged = new ArrayList<>();
      var passed = new PassedOver();
      List<Event> page = page(store, Optional.empty(), passed);
      while (!page.isEmpty()) {
        page.forEach(event -> paged.add(event.key()));
        page = page(store, Optional.of(paged.getLast()), passed);
      }
      assertThat(paged).isEqualTo(whole);
      assertThat(passed.ranges()).isNotEmpty();
    }
  }

  private static List<Event> page(RocksStore store, Optional<EventKey> after, PassedOver passed) {
    return passed.during(() -> store.events().events(TestEvents.START, END, after, 8));
  }

  @Test
  void listing_rangeBesideTheDamage_isToldNothing() {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).get(1), "Data");
    try (RocksStore store = open()) {
      var all = new PassedOver();
      all.during(() -> listed(store, Table.EVENTS));
      String first = all.ranges().getFirst().from();
      List<Event> before =
          events.stream()
              .takeWhile(event -> Keys.text(Keys.event(event.key())).compareTo(first) < 0)
              .toList();
      var passed = new PassedOver();
      assertThat(
              passed.during(() ->
                  store
                      .events()
                      .events(
                          TestEvents.START,
                          before.getLast().timestamp(),
                          Optional.empty(),
                          10_000)))
          .isEqualTo(before.subList(0, before.size() - 1));
      assertThat(passed.ranges()).isEmpty();
    }
  }

  @Test
  void damage_met_isRemembered() {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).get(1), "Data");
    try (RocksStore store = open()) {
      assertThat(store.damage().count()).isZero();
      listed(store, Table.EVENTS);
      listed(store, Table.EVENTS);
      assertThat(store.damage().count()).isEqualTo(1);
      assertThat(store.damage().since()).isPresent();
      assertThat(store.damage().first())
          .hasValueSatisfying(range -> assertThat(range.reason()).contains("checksum mismatch"));
    }
  }

  @Test
  void damage_metByKey_isRemembered() {
    TableFiles.damageBlock(TableFiles.files(tables(), Table.EVENTS).get(1), "Data");
    try (RocksStore store = open()) {
      Set<EventKey> found = new HashSet<>(listed(store, Table.EVENTS));
      Event lost =
          events.stream().filter(event -> !found.contains(event.key())).findFirst().orElseThrow();
      long before = store.damage().count();
      assertCorrupt(store, lost);
      assertThat(store.damage().count()).isEqualTo(before + 1);
    }
  }

  private static void assertCorrupt(RocksStore store, Event event) {
    assertThatThrownBy(() -> store.events().event(event.id()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
  }

  private List<EventKey> listed(RocksStore store, Table table) {
    return table == Table.EVENTS
        ? store.events().eventKeys(TestEvents.START, END, Optional.empty(), 2 * BATCH * BATCHES)
        : store.sessions().eventsAfter(SESSION, Optional.empty(), 2 * BATCH * BATCHES);
  }

  /// Only rows within the named ranges are missing, and of these only one file's.
  private void assertListed(
      List<EventKey> found, List<DamagedRange> ranges, Table table, String block) {
    List<EventKey> all = events.stream().map(Event::key).toList();
    assertThat(found).isSorted().isSubsetOf(all);
    if (block.equals("Filter")) {
      assertThat(found).isEqualTo(all);
      assertThat(ranges).isEmpty();
      return;
    }
    Set<EventKey> missing = new HashSet<>(all);
    missing.removeAll(Set.copyOf(found));
    assertThat(missing).hasSizeBetween(1, BATCH / 2);
    assertThat(ranges)
        .singleElement()
        .satisfies(range -> {
          assertThat(range.table()).isEqualTo(table.label());
          assertThat(range.reason()).contains("checksum mismatch");
          assertThat(missing)
              .allSatisfy(key -> assertThat(text(table, key)).isBetween(range.from(), range.to()));
        });
  }

  private static String text(Table table, EventKey key) {
    return Keys.text(table == Table.EVENTS ? Keys.event(key) : Keys.sessionEvent(SESSION, key));
  }

  private Path tables() {
    return directory.resolve("rocksdb");
  }

  private RocksStore open() {
    return RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system());
  }
}
