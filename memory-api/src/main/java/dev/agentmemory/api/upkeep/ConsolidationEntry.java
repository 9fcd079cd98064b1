package dev.agentmemory.api.upkeep;

import java.time.Instant;
import java.util.Optional;

/// A run that changed memories by itself: a consolidation or a compaction.
///
/// @param id a ULID
/// @param kind `consolidation` or `compaction`
/// @param undone when it was undone; empty if it was not
public record ConsolidationEntry(
    String id, String kind, Instant time, ConsolidationCounts counts, Optional<Instant> undone) {}
