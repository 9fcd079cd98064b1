package dev.agentmemory.postgres.config;

/// What a daemon is called among those that share a database.
///
/// @param id the same after a restart; no other daemon has it
/// @param place where an operator finds it: host and data directory
public record DaemonIdentity(String id, String place) {}
