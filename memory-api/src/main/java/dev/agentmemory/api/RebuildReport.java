package dev.agentmemory.api;

/// What a rebuild of the table of contents did.
///
/// @param sessions sessions that were cut anew
/// @param segments segments that they have now
public record RebuildReport(long sessions, long segments) {}
