package dev.agentmemory.api.gateway;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Whether sessions of agents are recorded. It concerns the daemon, not one workspace.
///
/// @param recorded whether nothing keeps sessions of any project from being recorded
/// @param sentence what `memory capture` says: `on`, `off`, or where nothing is recorded
/// @param agents all that can be connected
public record CaptureReport(
    boolean recorded, String sentence, List<AgentCapture> agents, SpoolState spool) {

  /// Nothing is known.
  public static final CaptureReport NONE =
      new CaptureReport(
          /* recorded= */ true,
          "",
          List.of(),
          new SpoolState(0, Optional.empty(), 0, /* good= */ true, ""));

  public CaptureReport {
    agents = List.copyOf(agents);
  }

  /// What hooks have left for the daemon.
  ///
  /// @param waiting how many files
  /// @param oldest when the oldest of them was written
  /// @param rejected files that were no complete messages
  /// @param good whether the daemon reads it
  /// @param remedy what to do; empty if nothing has to be done
  public record SpoolState(
      long waiting, Optional<Instant> oldest, long rejected, boolean good, String remedy) {}
}
