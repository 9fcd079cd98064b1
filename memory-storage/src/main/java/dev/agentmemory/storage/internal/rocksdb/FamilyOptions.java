package dev.agentmemory.storage.internal.rocksdb;

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
  private static final Set<Family> OF_TEXT = Set.of(Family.EVENTS, Family.TOC_NODES, Family.GRIPS);

  /// Step by which a write buffer grows. The default is an eighth of the buffer, allocated with the
  /// first row of a table. With many small stores open these would fill the shared budget.
  private static final long BUFFER_STEP = 64 << 10;

  private FamilyOptions() {}

  static ColumnFamilyOptions of(Family family, Cache cache, BloomFilter filter) {
    var options = new ColumnFamilyOptions();
    options
        .setWriteBufferSize(family.writeBufferBytes())
        .setMaxWriteBufferNumber(4)
        .setArenaBlockSize(BUFFER_STEP)
        .setTableFormatConfig(blocks(cache, filter));
    switch (family.shape()) {
      case LOG -> log(options);
      case TABLE, QUEUE ->
          options
              .setCompactionStyle(CompactionStyle.LEVEL)
              .setLevel0FileNumCompactionTrigger(MERGE_AT_FILES)
              .setLevelCompactionDynamicLevelBytes(true)
              .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }
    bottomLevel(options, OF_TEXT.contains(family) ? DICTIONARY_BYTES : 0);
    switch (family.lookups()) {
      case FOUND -> options.setMemtableWholeKeyFiltering(false);
      case OFTEN_ABSENT ->
          options
              .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER)
              .setMemtableWholeKeyFiltering(true);
    }
    return options;
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
