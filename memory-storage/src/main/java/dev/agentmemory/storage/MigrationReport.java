package dev.agentmemory.storage;

/// What was found, and done, when a store was brought to the newest format.
///
/// @param from the oldest format that a row could have before
/// @param to the format that this program writes
/// @param rows how many rows were looked at; 0 when the header says that none can be old
/// @param old how many of them had a former format, and were rewritten unless it was a dry run
/// @param unreadable how many cannot be read and were left as they are
public record MigrationReport(int from, int to, long rows, long old, long unreadable) {}
