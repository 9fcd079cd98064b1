package dev.agentmemory.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.types.EventId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// On files of a real engine.
final class HitEventsTest {

  private static final int ROWS = 300;

  @TempDir Path folder;

  private final List<EventId> ids = new ArrayList<>();
  private Path log = Path.of("");

  @BeforeEach
  void write() throws Exception {
    RocksDB.loadLibrary();
    var handles = new ArrayList<ColumnFamilyHandle>();
    try (var options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        var ofFamily = new ColumnFamilyOptions();
        var db =
            RocksDB.open(
                options,
                folder.resolve("db").toString(),
                List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                    new ColumnFamilyDescriptor(
                        "events".getBytes(StandardCharsets.UTF_8), ofFamily)),
                handles)) {
      var random = new SplittableRandom(1);
      for (int row = 0; row < ROWS; row++) {
        put(db, handles.get(1), row, random);
      }
      log = Files.copy(file(".log"), folder.resolve("whole.log"));
      try (var flush = new FlushOptions().setWaitForFlush(true)) {
        db.flush(flush, handles.get(1));
      }
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  @AfterEach
  void everyIdIsAnother() {
    assertThat(ids).doesNotHaveDuplicates().hasSize(ROWS);
  }

  private void put(RocksDB db, ColumnFamilyHandle events, int row, SplittableRandom random)
      throws RocksDBException {
    EventId id = WorkDay.event(row).id();
    ids.add(id);
    byte[] value = new byte[500];
    random.nextBytes(value);
    String key = "evt:%013d:%s".formatted(1_700_000_000_000L + row, id.value());
    db.put(events, key.getBytes(StandardCharsets.UTF_8), value);
  }

  @Test
  void ofLog_removed_isEverything() throws IOException {
    assertThat(hit(new Damage.Removed())).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void ofLog_cut_isWhatLiesBehind() throws IOException {
    long size = Files.size(log);

    Set<EventId> hit = hit(new Damage.Cut(size / 2));

    assertThat(hit).contains(ids.getLast()).doesNotContain(ids.getFirst());
    assertThat(hit.size()).isBetween(ROWS / 2 - 2, ROWS / 2 + 2);
    assertThat(hit(new Damage.Cut(size - 1))).containsExactly(ids.getLast());
  }

  @Test
  void ofLog_flip_isTheBlock() throws IOException {
    Set<EventId> hit = hit(new Damage.Flipped(LogRecords.BLOCK + 5, 1));

    assertThat(hit.size()).isBetween(LogRecords.BLOCK / 620, LogRecords.BLOCK / 500);
    assertThat(hit).doesNotContain(ids.getFirst(), ids.getLast());
  }

  @Test
  void ofTable_flipInARow_isItsBlockOnly() throws IOException {
    Path whole = file(".sst");
    Damage damage = new Damage.Flipped(Files.size(whole) / 2, 3);

    Set<EventId> hit = table(whole, damage);

    assertThat(hit.size()).isBetween(1, ROWS / 10);
    assertThat(hit).isSubsetOf(ids);
  }

  @Test
  void ofTable_cutOrRemoved_isEverything() throws IOException {
    Path whole = file(".sst");

    assertThat(table(whole, new Damage.Cut(Files.size(whole) - 3))).hasSize(ROWS);
    assertThat(table(whole, new Damage.Removed())).hasSize(ROWS);
  }

  private Set<EventId> hit(Damage damage) throws IOException {
    return HitEvents.of(StoredFile.Kind.LOG, damage, log, folder.resolve("none"));
  }

  private Set<EventId> table(Path whole, Damage damage) throws IOException {
    Path broken = Files.copy(whole, folder.resolve("broken"));
    damage.apply(broken);
    Set<EventId> hit = HitEvents.of(StoredFile.Kind.TABLE, damage, whole, broken);
    Files.deleteIfExists(broken);
    return hit;
  }

  private Path file(String suffix) throws IOException {
    try (var files = Files.list(folder.resolve("db"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }
}
