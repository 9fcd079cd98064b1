package dev.agentmemory.storage.config;

import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/// How a store is opened.
///
/// @param zone the zone in which days begin, fixed when the store is created; empty takes what the
///   store has, UTC for a new one
/// @param blockCacheBytes memory for blocks, filters and indexes; the write buffers are charged to
///   it
/// @param writeBufferBytes memory of all tables for rows not yet in files
/// @param queuedCommits at most that many commits may wait
/// @param queuedBytes at most that many bytes may wait; a larger commit is accepted when none waits
/// @param minFreeBytes below that much room on the disk no events are taken; 0 to take them until
///   the disk refuses
/// @param durability what an answered commit has survived
public record StorageConfig(
    Optional<ZoneId> zone,
    long blockCacheBytes,
    long writeBufferBytes,
    int queuedCommits,
    long queuedBytes,
    long minFreeBytes,
    Durability durability) {

  /// What an answered commit has survived.
  public enum Durability {
    /// A crash of the program and of the machine: the log is on disk before the answer.
    FSYNC,
    /// A crash of the program only.
    ASYNC
  }

  /// What holds where nothing else is said.
  public static final StorageConfig DEFAULT =
      new StorageConfig(
          Optional.empty(), 64L << 20, 64L << 20, 8192, 32L << 20, 64L << 20, Durability.FSYNC);

  public StorageConfig {
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(durability, "durability");
    atLeast("blockCacheBytes", blockCacheBytes, 1 << 20);
    atLeast("writeBufferBytes", writeBufferBytes, 1 << 20);
    atLeast("queuedCommits", queuedCommits, 1);
    atLeast("queuedBytes", queuedBytes, 1);
    atLeast("minFreeBytes", minFreeBytes, 0);
  }

  public StorageConfig withZone(ZoneId changed) {
    return new StorageConfig(
        Optional.of(changed),
        blockCacheBytes,
        writeBufferBytes,
        queuedCommits,
        queuedBytes,
        minFreeBytes,
        durability);
  }

  public StorageConfig withMemory(long cacheBytes, long bufferBytes) {
    return new StorageConfig(
        zone, cacheBytes, bufferBytes, queuedCommits, queuedBytes, minFreeBytes, durability);
  }

  public StorageConfig withQueue(int commits, long bytes) {
    return new StorageConfig(
        zone, blockCacheBytes, writeBufferBytes, commits, bytes, minFreeBytes, durability);
  }

  public StorageConfig withDurability(Durability changed) {
    return new StorageConfig(
        zone, blockCacheBytes, writeBufferBytes, queuedCommits, queuedBytes, minFreeBytes, changed);
  }

  public StorageConfig withMinFree(long bytes) {
    return new StorageConfig(
        zone, blockCacheBytes, writeBufferBytes, queuedCommits, queuedBytes, bytes, durability);
  }

  private static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + ", expected at least " + least);
    }
  }
}
