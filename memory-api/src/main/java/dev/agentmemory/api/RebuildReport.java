package dev.agentmemory.api;

/// What a rebuild of the table of contents did.
///
/// @param sessions number of sessions that were segmented again
/// @param segments number of their segments
public record RebuildReport(long sessions, long segments) {}
