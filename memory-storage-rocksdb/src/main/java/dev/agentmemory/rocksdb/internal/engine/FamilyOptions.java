package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.rows.Table;
import java.util.Set;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;

/// The engine's options for each table.
final class FamilyOptions {

  /// Part of a write buffer for the filter that answers lookups of absent keys: at least 10 bits
  /// for each row that the buffer can hold. It is allocated with an empty buffer, in every open
  /// store.
  private static final double MEMTABLE_FILTER = 0.0125;

  /// Twice the default: on a small machine compaction competes with the commits.
  private static final int MERGE_AT_FILES = 8;

  private static final int BOTTOM_COMPRESSION_LEVEL = 6;
  private static final int DICTIONARY_BYTES = 32 << 10;

  /// The engine recommends a hundred times the dictionary, which saves 1 % and makes compaction
  /// slower.
  private static final int TRAINING_TIMES = 10;

  /// Rows of text, which have much in common. Rows of ids have little in common, so a dictionary
  /// would only add to their size.
  private static final Set<Table> OF_TEXT = Set.of(Table.EVENTS, Table.TOC_NODES, Table.GRIPS);

  /// Tables in which every new event looks up an absent key, so that the memtable has a filter,
  /// too. Few rows of `records` are written at a time, so a filter in memory, in every open store,
  /// would not pay off.
  private static final Set<Table> OFTEN_ABSENT = Set.of(Table.EVENTS, Table.EVENT_IDS);

  /// How rows are added and removed.
  private enum Shape {
    /// Only appended. Few rewrites matter more than the fastest range read, so it uses universal
    /// compaction. Text compresses well, so it uses zstd on all levels.
    LOG,
    /// Replaced and read at random.
    TABLE,
    /// Appended at one end, deleted by ranges at the other. It uses leveled compaction with range
    /// deletes, because FIFO compaction drops files by size and age whether or not their entries
    /// were processed.
    QUEUE
  }

  /// Step by which a write buffer grows. The default is an eighth of the buffer, allocated with the
  /// first row of a table. With many small stores open these would fill the shared budget.
  private static final long BUFFER_STEP = 64 << 10;

  private FamilyOptions() {}

  static ColumnFamilyOptions of(Table table, Cache cache, BloomFilter filter) {
    var options = new ColumnFamilyOptions();
    options
        .setWriteBufferSize(writeBufferBytes(table))
        .setMaxWriteBufferNumber(4)
        .setArenaBlockSize(BUFFER_STEP)
        .setTableFormatConfig(blocks(cache, filter));
    switch (shape(table)) {
      case LOG -> log(options);
      case TABLE, QUEUE ->
          options
              .setCompactionStyle(CompactionStyle.LEVEL)
              .setLevel0FileNumCompactionTrigger(MERGE_AT_FILES)
              .setLevelCompactionDynamicLevelBytes(true)
              .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }
    bottomLevel(options, OF_TEXT.contains(table) ? DICTIONARY_BYTES : 0);
    if (OFTEN_ABSENT.contains(table)) {
      options.setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER).setMemtableWholeKeyFiltering(true);
    } else {
      options.setMemtableWholeKeyFiltering(false);
    }
    return options;
  }

  private static Shape shape(Table table) {
    return switch (table) {
      case EVENTS -> Shape.LOG;
      case OUTBOX -> Shape.QUEUE;
      case SESSIONS,
          EVENT_IDS,
          CONVERSATIONS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          TOC_UPGRADES,
          SEGMENTS,
          GRIPS,
          DEAD_LETTERS,
          CHECKPOINTS,
          USAGE,
          META,
          RECORDS ->
          Shape.TABLE;
    };
  }

  private static long writeBufferBytes(Table table) {
    return switch (table) {
      case EVENTS -> 16L << 20;
      case SESSIONS, OUTBOX -> 8L << 20;
      case EVENT_IDS, CONVERSATIONS, TOC_NODES, SEGMENTS, GRIPS, RECORDS -> 4L << 20;
      case TOC_LATEST, TOC_DIRTY, DEAD_LETTERS, CHECKPOINTS, META -> 2L << 20;
      // A call of a model takes seconds, so a megabyte of rows is days of calls.
      case TOC_UPGRADES, USAGE -> 1L << 20;
    };
  }

  /// Options of the bottom level, where rows stay. A slower compression level pays off there, and
  /// so does a dictionary, because a block of 16 KiB alone has few repetitions.
  private static void bottomLevel(ColumnFamilyOptions options, int dictionaryBytes) {
    try (var slower =
        new CompressionOptions()
            .setLevel(BOTTOM_COMPRESSION_LEVEL)
            .setMaxDictBytes(dictionaryBytes)
            .setZStdMaxTrainBytes(TRAINING_TIMES * dictionaryBytes)
            .setEnabled(true)) {
      options
          .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
          .setBottommostCompressionOptions(slower);
    }
  }

  /// Compression competes with the commits as well, so this uses the fastest level of zstd.
  private static void log(ColumnFamilyOptions options) {
    try (var fastest = new CompressionOptions().setLevel(1)) {
      options
          .setCompactionStyle(CompactionStyle.UNIVERSAL)
          .setLevel0FileNumCompactionTrigger(MERGE_AT_FILES)
          .setCompressionType(CompressionType.ZSTD_COMPRESSION)
          .setCompressionOptions(fastest);
    }
  }

  /// Indexes and filters are kept in the cache, so that memory does not grow with the store.
  private static BlockBasedTableConfig blocks(Cache cache, BloomFilter filter) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setFilterPolicy(filter)
        .setWholeKeyFiltering(true)
        .setIndexType(IndexType.kBinarySearch)
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setBlockSize(16 << 10)
        .setFormatVersion(6);
  }
}
