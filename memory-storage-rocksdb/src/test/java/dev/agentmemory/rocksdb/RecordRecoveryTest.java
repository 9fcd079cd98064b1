package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.rocksdb.internal.engine.TableFiles;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

/// Rows of modules are replaced and deleted: what comes back from a damaged store is their current
/// state, as far as it can be known, and the report counts the rest.
@Tag("slow")
final class RecordRecoveryTest {

  private static final int RECORDS = 290;
  private static final int CHANGES = 390;
  private static final RecoveryReport.Records WHOLE =
      new RecoveryReport.Records(RECORDS, 0, 0, 0, 0);

  @TempDir private Path data;
  private RecoveredStore folders = new RecoveredStore(Path.of(""));
  private Path store = Path.of("");
  private Path tables = Path.of("");
  private final Map<String, String> expected = new TreeMap<>();

  /// The first state of 300 rows is in one table file. Of these 50 are replaced and 10 deleted by
  /// another table file, and 10 replaced and 10 deleted by the log, which also has 10 more.
  @BeforeEach
  void fill() throws IOException {
    folders = new RecoveredStore(data);
    store = folders.store();
    tables = folders.tables();
    try (RocksStore opened = folders.open(store)) {
      opened.commit(Commit.append(TestEvents.messages("s", 5)));
      opened.commit(Commit.of(changes(0, 300, i -> put(i, "first"))));
    }
    try (RocksStore opened = folders.open(store)) {
      opened.commit(Commit.of(changes(0, 50, i -> put(i, "second"))));
      opened.commit(Commit.of(changes(50, 60, this::drop)));
    }
    folders.fillAndKill(
        opened -> {
          for (int i = 0; i < 10; i++) {
            opened.commit(Commit.of(put(60 + i, "third ".repeat(500)), drop(70 + i)));
            opened.commit(Commit.of(put(300 + i, "third ".repeat(500))));
          }
        },
        witness -> StoreFolders.awaitRecordChanges(witness, CHANGES));
    assertThat(expected).hasSize(RECORDS);
  }

  @Test
  void recover_wholeStore_bringsBackTheCurrentRows() throws IOException {
    RecoveryReport report = folders.recover();
    assertThat(report.records()).isEqualTo(WHOLE);
    assertThat(report.isWhole()).isTrue();
    assertThat(recovered()).isEqualTo(expected);
  }

  @Test
  void recover_again_bringsBackTheSame() throws IOException {
    folders.recover();
    StoreFolders.delete(store);
    Files.move(folders.target(), store);
    assertThat(folders.recover().records()).isEqualTo(WHOLE);
    assertThat(recovered()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CURRENT", "OPTIONS", "IDENTITY"})
  void recover_withoutAFileThatHoldsNoRow_bringsBackTheCurrentRows(String kind) throws IOException {
    Files.delete(folders.file(kind));
    assertThat(folders.recover().records()).isEqualTo(WHOLE);
    assertThat(recovered()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void recover_manifestWithAFlippedBit_bringsBackTheCurrentRows(double place) throws IOException {
    StoreFolders.flip(folders.file("MANIFEST"), place);
    assertThat(folders.recover().records()).isEqualTo(WHOLE);
    assertThat(recovered()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2, 0.5, 0.8, 0.99})
  void recover_logWithAFlippedBit_bringsBackTheCurrentRows(double place) throws IOException {
    StoreFolders.flip(folders.file(".log"), place);
    RecoveryReport report = folders.recover();
    assertThat(report.records()).isEqualTo(WHOLE);
    assertThat(report.damaged()).anyMatch(what -> what.contains("flipped bit"));
    assertThat(recovered()).isEqualTo(expected);
  }

  /// Only the engine reads deletions in table files, and without a manifest it opens none.
  @Test
  void recover_withoutAManifest_bringsBackTheNewestRowsAndSaysThatSomeWereDeleted()
      throws IOException {
    Files.delete(folders.file("MANIFEST"));
    RecoveryReport report = folders.recover();
    assertThat(report.records()).isEqualTo(new RecoveryReport.Records(RECORDS + 10, 0, 10, 0, 0));
    assertThat(report.isWhole()).isFalse();
    assertThat(report.hasAllEvents()).isTrue();
    Map<String, String> found = recovered();
    assertThat(found).containsAllEntriesOf(expected);
    found.keySet().removeAll(expected.keySet());
    assertThat(found.keySet()).containsExactlyElementsOf(keys(50, 60));
  }

  @Test
  void recover_blockOfTheFirstStatesDamaged_countsTheRowsOfThatBlock() throws IOException {
    TableFiles.damageBlock(recordFiles().getFirst(), "Data");
    RecoveryReport report = folders.recover();
    Map<String, String> found = recovered();
    assertThat(found).hasSizeBetween(100, RECORDS - 1);
    assertThat(expected).containsAllEntriesOf(found);
    assertThat(report.records())
        .isEqualTo(new RecoveryReport.Records(found.size(), RECORDS - found.size(), 0, 0, 0));
    assertThat(report.isWhole()).isFalse();
    assertThat(report.hasAllEvents()).isTrue();
    assertThat(report.damaged()).anyMatch(what -> what.contains("rows of records"));
  }

  /// Each of these rows has an older state in another file, and deleted ones cannot be told from
  /// those that were replaced.
  @Test
  void recover_blockOfTheNewerStatesDamaged_bringsBackTheOlderOnesAndCountsThem()
      throws IOException {
    TableFiles.damageBlock(recordFiles().getLast(), "Data");
    RecoveryReport report = folders.recover();
    assertThat(report.records().restored()).isEqualTo(RECORDS + 10);
    assertThat(report.records().returned()).isEqualTo(10);
    assertThat(report.records().uncertain()).isBetween(60L, 65L);
    assertThat(report.records().missing()).isZero();
    assertThat(report.isWhole()).isFalse();
    Map<String, String> found = recovered();
    for (String key : keys(0, 60)) {
      assertThat(found.remove(key)).isEqualTo(text(key, "first"));
    }
    expected.keySet().removeAll(keys(0, 60));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void recover_fileOfTheFirstStatesMissing_countsItsRows() throws IOException {
    Files.delete(recordFiles().getFirst());
    RecoveryReport report = folders.recover();
    assertThat(report.records().restored()).isEqualTo(70);
    assertThat(report.records().missing()).isEqualTo(RECORDS - 70);
    assertThat(expected).containsAllEntriesOf(recovered());
  }

  @Test
  void recover_withoutTheLog_countsTheChangesThatTheWitnessSaw() throws IOException {
    Files.delete(folders.file(".log"));
    RecoveryReport report = folders.recover();
    assertThat(report.records()).isEqualTo(new RecoveryReport.Records(RECORDS, 0, 0, 0, 30));
    assertThat(report.isWhole()).isFalse();
    Map<String, String> found = recovered();
    assertThat(found.keySet())
        .containsAll(keys(70, 80))
        .doesNotContainAnyElementsOf(keys(300, 310));
    assertThat(found.get(key(60))).isEqualTo(text(key(60), "first"));
  }

  /// Nothing says how many rows there were.
  @Test
  void recover_withoutCounters_bringsBackTheRowsAndCountsThemAsUncertain() throws IOException {
    Files.delete(folders.file(".log"));
    for (Path file : folders.tableFiles(Table.META)) {
      Files.delete(file);
    }
    RecoveryReport report = folders.recover();
    assertThat(report.records()).isEqualTo(new RecoveryReport.Records(RECORDS, 0, 0, RECORDS, 0));
    assertThat(recovered()).hasSize(RECORDS);
  }

  /// Later blocks of the log are read, so their counters show what is missing before them.
  @Test
  void recover_logWithAnOverwrittenRecord_countsTheChangesInBetween() throws IOException {
    StoreFolders.overwrite(folders.file(".log"), 0.4, 64);
    RecoveryReport report = folders.recover();
    assertThat(report.records().missingChanges()).isBetween(1L, 29L);
    assertThat(report.isWhole()).isFalse();
    Map<String, String> found = recovered();
    assertThat(found).containsEntry(key(309), expected.get(key(309)));
    assertThat(found.keySet().stream().filter(expected::containsKey).toList())
        .hasSizeBetween(RECORDS - 10, RECORDS - 1);
  }

  @Test
  void recover_rowThatIsNoText_isLeftOutAndCounted() throws RocksDBException, IOException {
    try (Database engine = Database.open(tables, StorageConfig.DEFAULT)) {
      var batch = new RocksBatch(engine::number, 0);
      byte[] noText = {(byte) 0xC3};
      batch.put(Table.RECORDS, key(299).getBytes(StandardCharsets.UTF_8), noText);
      engine.write(batch.toBytes());
    }
    RecoveryReport report = folders.recover();
    assertThat(report.records().restored()).isEqualTo(RECORDS);
    assertThat(report.records().uncertain()).isEqualTo(1);
    assertThat(report.damaged()).anyMatch(what -> what.contains("cannot be decoded"));
    // Its former state.
    assertThat(recovered()).isEqualTo(expected);
  }

  private static String key(int i) {
    return "memory:%03d".formatted(i);
  }

  private static List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(RecordRecoveryTest::key).toList();
  }

  private static String text(String key, String state) {
    return "the %s state of %s, which takes some space: %x"
        .formatted(state, key, key.hashCode() * 2_654_435_761L);
  }

  private static List<Change> changes(int from, int to, IntFunction<Change> each) {
    return IntStream.range(from, to).mapToObj(each).toList();
  }

  private Change put(int i, String state) {
    String value = text(key(i), state);
    expected.put(key(i), value);
    return new Change.PutRecord(new StoredRecord(key(i), value));
  }

  private Change drop(int i) {
    expected.remove(key(i));
    return new Change.DropRecord(key(i));
  }

  /// What is in the recovered store, in which nothing else is wrong.
  private Map<String, String> recovered() {
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.verify(10)).isEmpty();
      assertThat(opened.stats().events()).isEqualTo(5);
      List<StoredRecord> rows = opened.records().records("", Optional.empty(), 1000);
      assertThat(opened.usage().records()).isEqualTo(rows.size());
      return rows.stream()
          .collect(
              Collectors.toMap(
                  StoredRecord::key, StoredRecord::value, (one, _) -> one, TreeMap::new));
    }
  }

  /// The table files of the records, the oldest first.
  private List<Path> recordFiles() throws IOException {
    List<Path> files = folders.tableFiles(Table.RECORDS);
    assertThat(files).hasSize(2);
    return files;
  }
}
