package dev.agentmemory.api.metrics;

import dev.agentmemory.spi.measure.Distribution;

/// Commits of all stores.
///
/// @param durations microseconds from the call to the acknowledgement
/// @param groups commits that were written and synced together
/// @param syncs microseconds of a sync of the log
/// @param waited commits that had to wait for others
/// @param refused commits that were refused, because too much waited
public record WriteMetrics(
    Distribution.Counts durations,
    Distribution.Counts groups,
    Distribution.Counts syncs,
    long waited,
    long refused) {}
