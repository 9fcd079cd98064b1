package dev.agentmemory.store;

import java.util.List;

/// Record counts and disk space of a store.
///
/// @param nodes nodes of the table of contents
/// @param nodeVersions kept versions of nodes, those of retired nodes included
/// @param outboxEntries entries that are kept
/// @param records rows that modules keep, such as curated memories
/// @param diskBytes size of the store's files, in bytes: the tables, the write-ahead log, the
///   engine's own
/// @param tables in the order of docs/data-format.md; empty when nothing is on disk
public record StoreUsage(
    long events,
    long sessions,
    long segments,
    long nodes,
    long nodeVersions,
    long grips,
    long outboxEntries,
    long records,
    long diskBytes,
    List<Table> tables) {

  public StoreUsage {
    tables = List.copyOf(tables);
  }

  /// One table.
  ///
  /// @param name such as `events`
  /// @param diskBytes size of its files; what was written lately is still in the write-ahead log
  public record Table(String name, long diskBytes) {}
}
