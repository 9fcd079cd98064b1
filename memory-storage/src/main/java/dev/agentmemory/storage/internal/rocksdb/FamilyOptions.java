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

  /// Part of a write buffer spent on the filter that answers for absent keys: 10 bits and more for
  /// each row that the buffer can hold. All of it is taken with an empty buffer, in every open
  /// store.
  private static final double MEMTABLE_FILTER = 0.0125;

  /// Twice the usual number: merging takes turns with the commits on a small machine.
  private static final int MERGE_AT_FILES = 8;

  private static final int LASTING_LEVEL = 6;
  private static final int DICTIONARY_BYTES = 32 << 10;

  /// The engine advises a hundred times the dictionary, which saves 1 % and makes merging slower.
  private static final int TRAINING_TIMES = 10;

  /// Rows of words, which have much in common. Rows of ids have little, and a dictionary of chance
  /// is only larger.
  private static final Set<Family> OF_WORDS = Set.of(Family.EVENTS, Family.TOC_NODES, Family.GRIPS);

  /// In what steps a write buffer grows. The usual ones are an eighth of the buffer, which a table
  /// takes with its first row: with many small stores open these would fill the budget of all.
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
    lasting(options, OF_WORDS.contains(family) ? DICTIONARY_BYTES : 0);
    switch (family.lookups()) {
      case FOUND -> options.setMemtableWholeKeyFiltering(false);
      case OFTEN_ABSENT ->
          options
              .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER)
              .setMemtableWholeKeyFiltering(true);
    }
    return options;
  }

  /// What has sunk to the bottom stays there: it is worth a slower level, and a dictionary of what
  /// blocks have in common, since a block of 16 KiB alone repeats little.
  private static void lasting(ColumnFamilyOptions options, int dictionaryBytes) {
    try (var slower =
        new CompressionOptions()
            .setLevel(LASTING_LEVEL)
            .setMaxDictBytes(dictionaryBytes)
            .setZStdMaxTrainBytes(TRAINING_TIMES * dictionaryBytes)
            .setEnabled(true)) {
      options
          .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
          .setBottommostCompressionOptions(slower);
    }
  }

  /// Compressing takes turns with the commits, too: the fastest level of zstd.
  private static void log(ColumnFamilyOptions options) {
    try (var fastest = new CompressionOptions().setLevel(1)) {
      options
          .setCompactionStyle(CompactionStyle.UNIVERSAL)
          .setLevel0FileNumCompactionTrigger(MERGE_AT_FILES)
          .setCompressionType(CompressionType.ZSTD_COMPRESSION)
          .setCompressionOptions(fastest);
    }
  }

  /// Indexes and filters live in the cache, so that memory does not grow with the store.
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
