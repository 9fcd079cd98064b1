package dev.agentmemory.spi.measure;

/// What the storage engine tells of one store. The first four are its state, the others count since
/// the store was opened.
///
/// @param memtableBytes rows that are in memory and not yet in files
/// @param pendingCompactionBytes what compaction has still to rewrite, as the engine estimates it
/// @param estimatedRows rows of all tables, as the engine estimates them
/// @param backgroundErrors failed flushes and compactions since the engine was last opened
/// @param compactions how often files were merged
/// @param blocks use of the block cache
public record StorageFigures(
    long memtableBytes,
    long pendingCompactionBytes,
    long estimatedRows,
    long backgroundErrors,
    long compactions,
    CacheUse blocks) {

  /// Of a store without such an engine.
  public static final StorageFigures NONE = new StorageFigures(0, 0, 0, 0, 0, CacheUse.NONE);
}
