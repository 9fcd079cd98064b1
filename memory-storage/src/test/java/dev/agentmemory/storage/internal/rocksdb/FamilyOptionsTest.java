package dev.agentmemory.storage.internal.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.storage.config.StorageConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDBException;

/// Reads back what the engine itself has written down about each table.
class FamilyOptionsTest {

  @TempDir private Path directory;
  private final Map<String, ColumnFamilyOptions> options = new HashMap<>();

  @BeforeEach
  void readBack() throws RocksDBException {
    RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system()).close();
    var families = new ArrayList<ColumnFamilyDescriptor>();
    try (var config = new ConfigOptions();
        var db = new DBOptions()) {
      OptionsUtil.loadLatestOptions(config, directory.resolve("rocksdb").toString(), db, families);
    }
    for (ColumnFamilyDescriptor family : families) {
      options.put(new String(family.getName(), StandardCharsets.UTF_8), family.getOptions());
    }
  }

  @Test
  void families_all_areTheTables() {
    var names = new ArrayList<>(List.of("default"));
    for (Family family : Family.values()) {
      names.add(family.table());
    }
    assertThat(options.keySet()).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void events_stored_areUniversalAndZstd() {
    ColumnFamilyOptions events = of(Family.EVENTS);
    assertThat(events.compactionStyle()).isEqualTo(CompactionStyle.UNIVERSAL);
    assertThat(events.compressionType()).isEqualTo(CompressionType.ZSTD_COMPRESSION);
    assertThat(events.writeBufferSize()).isEqualTo(16L << 20);
  }

  @Test
  void others_stored_areLeveledNeverFifo() {
    for (Family family : Family.values()) {
      if (family != Family.EVENTS) {
        assertThat(of(family).compactionStyle())
            .as(family.table())
            .isEqualTo(CompactionStyle.LEVEL);
      }
    }
  }

  /// The engine's Java side does not read these back, so its own file is asked.
  @Test
  void bottom_tables_areCompressedTighterThoseOfWordsWithADictionary() throws IOException {
    List<String> written;
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      Path latest =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Comparator.naturalOrder())
              .orElseThrow();
      written =
          Files.readAllLines(latest).stream()
              .filter(line -> line.strip().startsWith("bottommost_compression_opts="))
              .filter(line -> line.contains("enabled=true"))
              .toList();
    }
    assertThat(written)
        .hasSize(Family.values().length)
        .allSatisfy(line -> assertThat(line).contains("level=6;"));
    assertThat(written)
        .filteredOn(line -> line.contains("max_dict_bytes=32768;"))
        .hasSize(Set.of(Family.EVENTS, Family.TOC_NODES, Family.GRIPS).size())
        .allSatisfy(line -> assertThat(line).contains("zstd_max_train_bytes=327680;"));
  }

  @Test
  void absentKeys_frequentInTwoTables_haveAFilterInMemory() {
    for (Family family : Family.values()) {
      boolean expected = family == Family.EVENTS || family == Family.EVENT_IDS;
      assertThat(of(family).memtableWholeKeyFiltering()).as(family.table()).isEqualTo(expected);
      assertThat(of(family).memtablePrefixBloomSizeRatio() > 0)
          .as(family.table())
          .isEqualTo(expected);
    }
  }

  @Test
  void blocks_allTables_haveAFilterAndKeepIndexesInTheCache() {
    for (Family family : Family.values()) {
      var table = (BlockBasedTableConfig) of(family).tableFormatConfig();
      assertThat(table.filterPolicy()).as(family.table()).isInstanceOf(BloomFilter.class);
      assertThat(table.cacheIndexAndFilterBlocks()).as(family.table()).isTrue();
      assertThat(table.blockSize()).as(family.table()).isEqualTo(16L << 10);
    }
  }

  @Test
  void writeBuffers_allTables_growInSmallSteps() {
    for (Family family : Family.values()) {
      assertThat(of(family).arenaBlockSize()).as(family.table()).isEqualTo(64L << 10);
    }
  }

  /// More tables in every open store must cost next to nothing.
  @Test
  void tablesThatFillSlowly_haveSmallWriteBuffers() {
    assertThat(of(Family.USAGE).writeBufferSize()).isEqualTo(1L << 20);
    assertThat(of(Family.TOC_UPGRADES).writeBufferSize()).isEqualTo(1L << 20);
    assertThat(of(Family.RECORDS).writeBufferSize()).isEqualTo(4L << 20);
  }

  /// A log without a manifest is read by the numbers of a new store, and a table that was added to
  /// an older store has the next number.
  @Test
  void tables_ofLaterFormats_areTheLastOnes() {
    List<Family> marked = Stream.of(Family.values()).filter(family -> family.since() > 4).toList();
    assertThat(List.of(Family.values())).endsWith(marked.toArray(Family[]::new));
    try (Database engine = Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT)) {
      int next = 1;
      for (Family family : Family.values()) {
        assertThat(engine.number(family)).as(family.table()).isEqualTo(next++);
      }
    }
  }

  private ColumnFamilyOptions of(Family family) {
    return Objects.requireNonNull(options.get(family.table()));
  }
}
