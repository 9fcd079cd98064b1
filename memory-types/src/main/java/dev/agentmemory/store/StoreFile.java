package dev.agentmemory.store;

import java.time.Instant;

/// A file in which a store keeps its rows.
///
/// @param name unique in the store, never reused: a file with rows is never rewritten
/// @param bytes its size now
/// @param changed when it was last written to
public record StoreFile(String name, long bytes, Instant changed) {}
