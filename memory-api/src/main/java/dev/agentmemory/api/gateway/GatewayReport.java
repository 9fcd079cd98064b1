package dev.agentmemory.api.gateway;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What came over HTTP and from hooks since the daemon was started, and what of it was passed over;
/// connections that were refused. It concerns the daemon, not one workspace.
///
/// @param hooks messages of hooks, and transcripts that they name, by outcome, such as `stored` or
///   `transcript_refused`
/// @param spool files of the spool
/// @param refusedRequests HTTP requests that were refused, by reason, such as `token`
/// @param refusedConnections gRPC connections that were refused or closed, and calls that were
///   refused because their client or the daemon had too much to do, by reason, such as `limit`
/// @param recording what is not recorded
/// @param memory of the process
public record GatewayReport(
    Map<String, Long> hooks,
    Spool spool,
    Map<String, Long> refusedRequests,
    Map<String, Long> refusedConnections,
    Recording recording,
    ProcessBytes memory) {

  /// Nothing came, and nothing is said about recording.
  public static final GatewayReport NONE =
      new GatewayReport(
          Map.of(),
          new Spool(0, 0),
          Map.of(),
          Map.of(),
          new Recording(List.of(), Optional.empty(), /* privateSessions= */ 0));

  public GatewayReport {
    hooks = Map.copyOf(hooks);
    refusedRequests = Map.copyOf(refusedRequests);
    refusedConnections = Map.copyOf(refusedConnections);
  }

  /// Nothing is said about memory.
  public GatewayReport(
      Map<String, Long> hooks,
      Spool spool,
      Map<String, Long> refusedRequests,
      Map<String, Long> refusedConnections,
      Recording recording) {
    this(hooks, spool, refusedRequests, refusedConnections, recording, new ProcessBytes(0, 0));
  }

  public GatewayReport withRefusedConnections(Map<String, Long> changed) {
    return new GatewayReport(hooks, spool, refusedRequests, changed, recording, memory);
  }

  public GatewayReport withMemory(ProcessBytes changed) {
    return new GatewayReport(hooks, spool, refusedRequests, refusedConnections, recording, changed);
  }

  /// Memory of the process without mapped files, in bytes.
  ///
  /// @param used a moment ago
  /// @param ceiling near which work is refused; 0 if it is not known
  public record ProcessBytes(long used, long ceiling) {}

  /// Files of the spool.
  ///
  /// @param waiting those that could not be stored yet and are tried again
  /// @param rejected those that were no complete messages, also before the start
  public record Spool(long waiting, long rejected) {}

  /// What is not recorded.
  ///
  /// @param excluded directories of the projects that a setting excludes
  /// @param privateWord makes a session private; empty for none
  /// @param privateSessions number of private sessions
  public record Recording(
      List<String> excluded, Optional<String> privateWord, long privateSessions) {

    public Recording {
      excluded = List.copyOf(excluded);
    }
  }
}
