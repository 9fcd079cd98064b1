package dev.agentmemory.rocksdb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.storage.rows.Table;
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
    for (ColumnFamilyDescriptor table : families) {
      options.put(new String(table.getName(), StandardCharsets.UTF_8), table.getOptions());
    }
  }

  @Test
  void families_all_areTheTables() {
    var names = new ArrayList<>(List.of("default"));
    for (Table table : Table.values()) {
      names.add(table.label());
    }
    assertThat(options.keySet()).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void events_stored_areUniversalAndZstd() {
    ColumnFamilyOptions events = of(Table.EVENTS);
    assertThat(events.compactionStyle()).isEqualTo(CompactionStyle.UNIVERSAL);
    assertThat(events.compressionType()).isEqualTo(CompressionType.ZSTD_COMPRESSION);
    assertThat(events.writeBufferSize()).isEqualTo(16L << 20);
  }

  @Test
  void others_stored_areLeveledNeverFifo() {
    for (Table table : Table.values()) {
      if (table != Table.EVENTS) {
        assertThat(of(table).compactionStyle()).as(table.label()).isEqualTo(CompactionStyle.LEVEL);
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
        .hasSize(Table.values().length)
        .allSatisfy(line -> assertThat(line).contains("level=6;"));
    assertThat(written)
        .filteredOn(line -> line.contains("max_dict_bytes=32768;"))
        .hasSize(Set.of(Table.EVENTS, Table.TOC_NODES, Table.GRIPS).size())
        .allSatisfy(line -> assertThat(line).contains("zstd_max_train_bytes=327680;"));
  }

  @Test
  void absentKeys_frequentInTwoTables_haveAFilterInMemory() {
    for (Table table : Table.values()) {
      boolean expected = table == Table.EVENTS || table == Table.EVENT_IDS;
      assertThat(of(table).memtableWholeKeyFiltering()).as(table.label()).isEqualTo(expected);
      assertThat(of(table).memtablePrefixBloomSizeRatio() > 0)
          .as(table.label())
          .isEqualTo(expected);
    }
  }

  @Test
  void blocks_allTables_haveAFilterAndKeepIndexesInTheCache() {
    for (Table table : Table.values()) {
      var blocks = (BlockBasedTableConfig) of(table).tableFormatConfig();
      assertThat(blocks.filterPolicy()).as(table.label()).isInstanceOf(BloomFilter.class);
      assertThat(blocks.cacheIndexAndFilterBlocks()).as(table.label()).isTrue();
      assertThat(blocks.blockSize()).as(table.label()).isEqualTo(16L << 10);
    }
  }

  @Test
  void writeBuffers_allTables_growInSmallSteps() {
    for (Table table : Table.values()) {
      assertThat(of(table).arenaBlockSize()).as(table.label()).isEqualTo(64L << 10);
    }
  }

  /// More tables in every open store must cost next to nothing.
  @Test
  void tablesThatFillSlowly_haveSmallWriteBuffers() {
    assertThat(of(Table.USAGE).writeBufferSize()).isEqualTo(1L << 20);
    assertThat(of(Table.TOC_UPGRADES).writeBufferSize()).isEqualTo(1L << 20);
    assertThat(of(Table.RECORDS).writeBufferSize()).isEqualTo(4L << 20);
  }

  /// A log without a manifest is read by the numbers of a new store, and a table that was added to
  /// an older store has the next number.
  @Test
  void tables_ofLaterFormats_areTheLastOnes() {
    List<Table> marked = Stream.of(Table.values()).filter(table -> table.since() > 4).toList();
    assertThat(List.of(Table.values())).endsWith(marked.toArray(Table[]::new));
    try (Database engine = Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT)) {
      int next = 1;
      for (Table table : Table.values()) {
        assertThat(engine.number(table)).as(table.label()).isEqualTo(next++);
      }
    }
  }

  private ColumnFamilyOptions of(Table table) {
    return Objects.requireNonNull(options.get(table.label()));
  }
}
