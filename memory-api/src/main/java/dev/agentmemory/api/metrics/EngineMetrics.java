package dev.agentmemory.api.metrics;

import dev.agentmemory.spi.measure.Distribution;
import java.util.List;
import java.util.Map;

/// What is measured of an engine at one moment. Reading it reads no table. What counts, counts
/// since the engine was opened and never decreases, also when a workspace is closed.
///
/// @param queries microseconds of searches of events and memories
/// @param occurrences what has occurred in all workspaces; what never occurred may be absent
/// @param accountMemories memories of the account; 0 before they are asked for
/// @param workspaces the state of those that are open and can be read
public record EngineMetrics(
    WriteMetrics writes,
    IngestMetrics ingest,
    Distribution.Counts queries,
    Map<OccurrenceKey, Long> occurrences,
    BlockCache blockCache,
    long accountMemories,
    WorkspaceStates states,
    List<WorkspaceMetrics> workspaces) {

  public EngineMetrics {
    occurrences = Map.copyOf(occurrences);
    workspaces = List.copyOf(workspaces);
  }

  /// The memory that all stores share.
  ///
  /// @param usedBytes blocks and write buffers
  /// @param maxBytes its limit
  public record BlockCache(long usedBytes, long maxBytes) {}

  /// How many workspaces there are.
  ///
  /// @param known of which something is known; where workspaces share a store, the store counts as
  ///   one
  /// @param open the stores that are open
  /// @param failing those that take no events now, or do not put them in order
  public record WorkspaceStates(long known, long open, long failing) {}
}
