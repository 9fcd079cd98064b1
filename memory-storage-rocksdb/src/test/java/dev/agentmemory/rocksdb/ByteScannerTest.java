package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.testkit.bytes.FoundText;
import dev.agentmemory.testkit.bytes.ScanResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/// What the scanner of the testkit finds in the files of the engine.
class ByteScannerTest {

  private static final String NEEDLE = "zorvenquil";

  /// Enough for several blocks.
  private static final int ROWS = 2_000;

  /// Enough to train a dictionary.
  private static final int MANY_ROWS = 20_000;

  @TempDir private Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @Test
  void row_isFoundInTheLog_thenInItsTable() throws Exception {
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(bytes("key"), bytes("says " + NEEDLE));
      assertThat(kinds()).containsExactlyInAnyOrder("bytes", "log record");
      fill(db, 0);
      flush(db);
    }
    // The log is deleted with the next start.
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB _ = RocksDB.open(options, folder.toString())) {
      assertThat(kinds()).containsExactly("row");
    }
  }

  /// A record of a log is divided where a block of 32 KiB ends.
  @Test
  void rowOfSeveralBlocksOfTheLog_isFoundWhereTheyMeet() throws Exception {
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(bytes("key"), bytes((NEEDLE + " ").repeat(10_000)));
      Map<String, Long> kinds = scan().kinds(NEEDLE);
      assertThat(kinds.get("log record")).isEqualTo(10_000);
      assertThat(kinds.get("bytes")).isBetween(9_990L, 9_999L);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_COMPRESSION", "LZ4_COMPRESSION", "ZSTD_COMPRESSION"})
  void rowDeleted_isFoundUntilCompaction(CompressionType compression) throws Exception {
    try (Options options = options(compression);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      fill(db, 0);
      db.put(bytes("key-000500-" + NEEDLE), bytes("says " + NEEDLE));
      fill(db, 1);
      flush(db);
      db.delete(bytes("key-000500-" + NEEDLE));
      flush(db);
    }
    try (Options options = options(compression);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      assertThat(kinds()).contains("row key", "row");
      // The key twice: as it was written, and as it was deleted.
      assertThat(scan().places(NEEDLE).stream().map(FoundText::place))
          .anyMatch(place -> place.contains("type 1,"))
          .anyMatch(place -> place.contains("type 0,"));
      compact(db);
    }
    // Files that are not needed any more are deleted by the next start at the latest.
    try (Options options = options(compression);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      assertThat(db.get(bytes(key(7)))).isNotNull();
      assertThat(scan().found()).isEmpty();
    }
  }

  /// The engine's own reader of table files shows one version of a row only.
  @Test
  void formerVersionInTheSameFile_isFound() throws Exception {
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      fill(db, 0);
      db.put(bytes(key(500)), bytes("says " + NEEDLE));
      try (Snapshot snapshot = db.getSnapshot()) {
        assertThat(snapshot.getSequenceNumber()).isPositive();
        db.put(bytes(key(500)), bytes("says nothing"));
        flush(db);
        db.releaseSnapshot(snapshot);
      }
    }
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      assertThat(db.get(bytes(key(500)))).isEqualTo(bytes("says nothing"));
      assertThat(kinds()).containsExactly("row");
    }
  }

  @Test
  void rangeDeletion_isFound() throws Exception {
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      fill(db, 0);
      db.deleteRange(bytes("key-000500-" + NEEDLE), bytes("key-000500-" + NEEDLE + "-end"));
      flush(db);
    }
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB _ = RocksDB.open(options, folder.toString())) {
      assertThat(kinds()).contains("range deletion key", "range deletion");
    }
  }

  /// The manifest has the first and the last key of each file, also of former ones.
  @Test
  void firstKeyOfADeletedFile_isFoundInTheManifest_untilItIsReplaced() throws Exception {
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(bytes("a-" + NEEDLE), bytes("value"));
      fill(db, 0);
      flush(db);
      db.delete(bytes("a-" + NEEDLE));
      flush(db);
      compact(db);
      assertThat(scan().places(NEEDLE))
          .anyMatch(place ->
              place.file().getFileName().toString().startsWith("MANIFEST-")
                  && place.kind().equals("log record"));
    }
    try (Options options = options(CompressionType.ZSTD_COMPRESSION);
        RocksDB _ = RocksDB.open(options, folder.toString())) {
      assertThat(scan().found()).isEmpty();
    }
  }

  @Test
  void textThatManyRowsHave_isFoundInTheDictionary_andRowsAreReadWithIt() throws Exception {
    try (var bottom =
            new CompressionOptions()
                .setMaxDictBytes(32 << 10)
                .setZStdMaxTrainBytes(320 << 10)
                .setEnabled(true);
        Options options =
            options(CompressionType.ZSTD_COMPRESSION).setBottommostCompressionOptions(bottom)) {
      options.setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        var random = new SplittableRandom(1);
        for (int i = 0; i < MANY_ROWS; i++) {
          db.put(bytes(key(i)), bytes("%s said it: %x".formatted(NEEDLE, random.nextLong())));
        }
        flush(db);
        compact(db);
      }
      try (RocksDB _ = RocksDB.open(options, folder.toString())) {
        Map<String, Long> kinds = scan().kinds(NEEDLE);
        assertThat(kinds.get("row")).isEqualTo(MANY_ROWS);
        assertThat(kinds.get("dictionary")).isPositive();
      }
    }
  }

  private Set<String> kinds() throws IOException {
    return scan().kinds(NEEDLE).keySet();
  }

  private ScanResult scan() throws IOException {
    ScanResult result = ByteScanner.scan(List.of(NEEDLE), folder);
    assertThat(result.unread()).isEmpty();
    return result;
  }

  private static Options options(CompressionType compression) {
    return new Options()
        .setCreateIfMissing(true)
        .setCompressionType(compression)
        .setDisableAutoCompactions(true)
        .setTableFormatConfig(
            new BlockBasedTableConfig().setBlockSize(16 << 10).setFormatVersion(6));
  }

  private static void fill(RocksDB db, int generation) throws RocksDBException {
    var random = new SplittableRandom(generation);
    for (int i = 0; i < ROWS; i++) {
      db.put(bytes(key(i)), bytes("row %d says %x".formatted(i, random.nextLong())));
    }
  }

  private static String key(int number) {
    return "key-%06d".formatted(number);
  }

  private static void flush(RocksDB db) throws RocksDBException {
    try (var options = new FlushOptions().setWaitForFlush(true)) {
      db.flush(options);
    }
  }

  private static void compact(RocksDB db) throws RocksDBException {
    try (var options =
        new CompactRangeOptions()
            .setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, options);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
