package dev.agentmemory.storage.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every file is read in time, at a low rate, over restarts, and what is found is told.
@Tag("slow")
class ScrubTest {

  private static final Duration WEEK = Duration.ofDays(7);

  @TempDir private Path directory;
  private RocksStore store;
  private Instant now = Instant.EPOCH;
  private final List<Duration> pauses = new ArrayList<>();

  @BeforeEach
  void open() {
    store = reopen();
    for (int i = 0; i < 5; i++) {
      store.commit(Commit.append(TestEvents.messages("s" + i, 200)));
      store.compact();
    }
    now =
        store.files().files().stream().map(StoreFile::changed).max(Comparator.naturalOrder()).get();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void runOnRequest_soundStore_readsEverythingAtOnce() {
    List<StoreFile> files = store.files().files();
    assertThat(scrub().runOnRequest())
        .containsEntry("files", Integer.toString(files.size()))
        .containsEntry("bytes", Long.toString(files.stream().mapToLong(StoreFile::bytes).sum()))
        .containsEntry("damaged", "0");
    assertThat(pauses).isEmpty();
  }

  @Test
  void run_everyHourForTwoWeeks_readsEachFileWithinAnyWeek() {
    Set<Duration> ages = new HashSet<>();
    int read = 0;
    for (int hour = 0; hour < 14 * 24; hour++) {
      now = now.plus(Duration.ofHours(1));
      read += Integer.parseInt(scrub().run().get("files"));
      Instant due = scrub().due().orElseThrow();
      assertThat(due).isAfter(now);
      ages.add(Duration.between(now, due));
    }
    assertThat(read).isBetween(2 * tables(), 6 * (tables() + 1));
    assertThat(ages).hasSizeGreaterThan(24);
  }

  @Test
  void run_rightAfterItReadEverything_readsNothing() {
    scrub().runOnRequest();
    assertThat(scrub().run()).containsEntry("files", "0");
  }

  @Test
  void run_allIsOverdue_restsAsLongAsItsRateDemands() {
    now = now.plus(WEEK.multipliedBy(2));
    Map<String, String> did = scrub().run();
    long bytes = Long.parseLong(did.get("bytes"));
    assertThat(did).containsEntry("files", Integer.toString(store.files().files().size()));
    long millis = pauses.stream().mapToLong(Duration::toMillis).sum();
    // A mebibyte a second; what is left at the end of a run is not followed by a pause.
    assertThat(millis).isBetween(bytes * 1000 / (1 << 20) - 100, bytes * 1000 / (1 << 20));
  }

  @Test
  void due_periodIsZero_isNever() {
    assertThat(new Scrub(() -> now, pauses::add, store, Duration.ZERO, WEEK).due()).isEmpty();
  }

  @Test
  void run_marksThatCannotBeRead_readsThoseFilesAgain() {
    scrub().runOnRequest();
    String name = store.files().files().getFirst().name();
    store.commit(Commit.of(new Checkpoint(Scrub.NAME, 0, Map.of(name, "no time"))));
    assertThat(scrub().due()).isPresent();
    assertThat(scrub().runOnRequest())
        .containsEntry("files", Integer.toString(store.files().files().size()));
    assertThat(store.checkpoints().checkpoint(Scrub.NAME).orElseThrow().attributes().get(name))
        .isEqualTo(Long.toString(now.toEpochMilli()));
  }

  @Test
  void run_damagedFile_isToldAndToldAgainAfterARestart() throws IOException {
    String damaged = damageLargest();
    assertThat(scrub().runOnRequest())
        .containsEntry("damaged", "1")
        .hasEntrySatisfying("damaged_1", told -> assertThat(told).contains(damaged, "checksum"));
    assertThat(store.damage().count()).isEqualTo(1);
    store.close();
    store = reopen();
    assertThat(store.damage().count()).isZero();
    assertThat(scrub().run()).containsEntry("damaged", "1");
    assertThat(store.damage().first().orElseThrow().place()).isEqualTo(damaged);
  }

  /// The scheduler of a store that was opened asks just this.
  @Test
  void due_fileMarkedAsDamaged_isAtOnceAfterARestart_untilItWasReadAgain() throws IOException {
    String damaged = damageLargest();
    var before = scrub();
    before.runOnRequest();
    assertThat(before.due()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
    store.close();
    store = reopen();
    var after = scrub();
    assertThat(after.due()).hasValueSatisfying(due -> assertThat(due).isBefore(now));
    after.run();
    assertThat(store.damage().first().orElseThrow().place()).isEqualTo(damaged);
    assertThat(after.due()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
  }

  @Test
  void due_noFileMarkedAsDamaged_isNotAtOnceAfterARestart() {
    scrub().runOnRequest();
    store.close();
    store = reopen();
    assertThat(scrub().due()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
  }

  @Test
  void run_interruptedWhileItRests_ends() {
    now = now.plus(WEEK.multipliedBy(2));
    var scrub =
        new Scrub(
            () -> now,
            time -> {
              throw new InterruptedException();
            },
            store,
            WEEK,
            WEEK);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(scrub::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(Thread.interrupted()).isTrue();
  }

  private int tables() {
    return (int)
        store.files().files().stream().filter(file -> file.name().endsWith(".sst")).count();
  }

  private String damageLargest() throws IOException {
    StoreFile largest =
        store.files().files().stream()
            .filter(file -> file.name().endsWith(".sst"))
            .max(Comparator.comparingLong(StoreFile::bytes))
            .orElseThrow();
    Path path = directory.resolve("db").resolve("rocksdb").resolve(largest.name());
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(20);
      int old = file.read();
      file.seek(20);
      file.write(old ^ 1);
    }
    return largest.name();
  }

  private Scrub scrub() {
    return new Scrub(() -> now, pauses::add, store, WEEK, Duration.ofMinutes(30));
  }

  private RocksStore reopen() {
    return RocksStore.open(directory.resolve("db"), StorageConfig.DEFAULT, InstantSource.system());
  }
}
