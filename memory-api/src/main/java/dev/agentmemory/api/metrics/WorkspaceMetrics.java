package dev.agentmemory.api.metrics;

import dev.agentmemory.spi.measure.StorageFigures;
import java.time.Duration;
import java.util.Map;

/// The state of an open store: of a workspace, or of all that share it.
///
/// @param workspace its name; `@unified` for a store that workspaces share
/// @param tokensToday tokens that models took today
public record WorkspaceMetrics(
    String workspace, Size size, Progress progress, long tokensToday, StorageFigures storage) {

  /// How much there is.
  ///
  /// @param activeSessions sessions that have not ended and stored an event within 30 minutes, and
  ///   since the store was opened
  /// @param memories superseded ones included; 0 before memories are asked for
  /// @param storeBytes size of the files of the store
  /// @param indexBytes size of the files of the search index; 0 while it is not open
  public record Size(
      long events, long activeSessions, long memories, long storeBytes, long indexBytes) {}

  /// How far the work is that follows the events.
  ///
  /// @param toc the consumer of the table of contents
  /// @param index the consumer of the search index
  /// @param consumers all consumers of the outbox by name
  /// @param dirtyNodes nodes that wait for a rollup, and open segments that wait for their digest
  /// @param deadLetters entries that could not be applied
  public record Progress(
      Lag toc, Lag index, Map<String, Lag> consumers, long dirtyNodes, long deadLetters) {

    public Progress {
      consumers = Map.copyOf(consumers);
    }
  }

  /// How far a consumer of the outbox is behind.
  ///
  /// @param entries that it has not applied yet
  /// @param time since it had applied all; zero while it has
  public record Lag(long entries, Duration time) {}
}
