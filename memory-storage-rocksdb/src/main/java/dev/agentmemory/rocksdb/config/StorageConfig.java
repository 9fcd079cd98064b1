package dev.agentmemory.rocksdb.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/// How a store is opened.
///
/// @param zone the zone in which days begin, fixed when the store is created; empty takes what the
///   store has, UTC for a new one
/// @param blockCacheBytes memory for blocks, filters and indexes; the write buffers are charged to
///   it
/// @param writeBufferBytes memory of all tables for rows not yet in files
/// @param minFreeBytes below that much free disk space events are refused; 0 to take them until the
///   disk refuses
/// @param queuedCommits at most that many commits may wait
/// @param queuedBytes at most that many bytes may wait; a larger commit is let in when none waits
/// @param durability what an answered commit has survived
public record StorageConfig(
    Optional<ZoneId> zone,
    long blockCacheBytes,
    long writeBufferBytes,
    long minFreeBytes,
    int queuedCommits,
    long queuedBytes,
    Durability durability) {

  /// What an answered commit has survived.
  public enum Durability {
    /// A crash of the program and of the machine: the log is on disk before the answer.
    FSYNC,
    /// A crash of the program only.
    ASYNC
  }

  public static final Setting<Durability> DURABILITY =
      Setting.oneOf("durability", Durability.FSYNC)
          .describedAs(
              "Whether an event is synced to disk before it is acknowledged; `async` can lose the"
                  + " last seconds after a power failure.");

  public static final Setting<ZoneId> ZONE =
      Setting.zone("toc.zone")
          .describedAs("Time zone that defines when days begin. Fixed when the store is created.");

  private static final Setting<Long> BLOCK_CACHE =
      Setting.size("storage.block_cache", "64MiB", "1MiB to 64GiB")
          .describedAs("Size of the RocksDB block cache, which holds data that was read.");

  private static final Setting<Long> WRITE_BUFFER =
      Setting.size("storage.write_buffer", "64MiB", "1MiB to 16GiB")
          .describedAs(
              "Size of the RocksDB write buffers, which hold data that is not yet in a table"
                  + " file.");

  public static final Setting<Long> MIN_FREE =
      Setting.size("storage.min_free", "64MiB", "0 to 64GiB")
          .describedAs(
              "Free disk space below which events are refused; 0 accepts events until the disk is"
                  + " full.");

  private static final Setting<Integer> QUEUE_COMMITS =
      Setting.whole("storage.queue_commits", 8192, "1 to 1000000")
          .describedAs(
              "Maximum number of pending writes; further writes are refused with a retry delay.");

  private static final Setting<Long> QUEUE_BYTES =
      Setting.size("storage.queue_bytes", "32MiB", "1MiB to 1GiB")
          .describedAs("Maximum size of all pending writes together.");

  /// The settings of the table `storage`.
  public static final List<Setting<?>> SETTINGS =
      List.of(BLOCK_CACHE, WRITE_BUFFER, MIN_FREE, QUEUE_COMMITS, QUEUE_BYTES);

  public static final StorageConfig DEFAULT = from(SettingReader.DEFAULTS);

  public StorageConfig {
    BLOCK_CACHE.check(blockCacheBytes);
    WRITE_BUFFER.check(writeBufferBytes);
    MIN_FREE.check(minFreeBytes);
    QUEUE_COMMITS.check(queuedCommits);
    QUEUE_BYTES.check(queuedBytes);
  }

  public static StorageConfig from(SettingReader settings) {
    return new StorageConfig(
        // Unset is not the same as set to the default: an existing store keeps the zone it was made
        // with.
        settings.find(ZONE),
        settings.read(BLOCK_CACHE),
        settings.read(WRITE_BUFFER),
        settings.read(MIN_FREE),
        settings.read(QUEUE_COMMITS),
        settings.read(QUEUE_BYTES),
        settings.read(DURABILITY));
  }
}
