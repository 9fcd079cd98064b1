package dev.agentmemory.rocksdb;

/// Result of migrating a store to the newest format.
///
/// @param from the oldest format that a row could have before
/// @param to the format that this program writes
/// @param rows number of rows read; 0 when the header states that there are no old rows
/// @param old how many of them had an earlier format; they were rewritten unless it was a dry run
/// @param unreadable how many could not be read and were left unchanged
public record MigrationReport(int from, int to, long rows, long old, long unreadable) {}
