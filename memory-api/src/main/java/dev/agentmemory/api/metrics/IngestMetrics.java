package dev.agentmemory.api.metrics;

import dev.agentmemory.spi.measure.Distribution;

/// Events of all workspaces.
///
/// @param durations microseconds from a call with events to its answer
/// @param stored new events
/// @param known events that were stored already
/// @param refused events that were refused by the limits, or because of their id
public record IngestMetrics(Distribution.Counts durations, long stored, long known, long refused) {}
