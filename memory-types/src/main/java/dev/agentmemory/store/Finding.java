package dev.agentmemory.store;

/// A problem that `verify` found.
///
/// @param table where, such as `events`
/// @param key which record, in readable form
/// @param problem what is wrong with it
public record Finding(String table, String key, String problem) {}
