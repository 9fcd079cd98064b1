package dev.agentmemory.gateway.http;

import java.time.Duration;

/// Bounds of the HTTP server.
///
/// @param connections the most open connections of each transport; further ones wait, and idle ones
///   are closed sooner
/// @param requests a second of one connection; further ones are refused with status 429
/// @param threads the most threads of the server
/// @param idle after which a connection without a request is closed
/// @param sweep how often the speed of what is received is looked at
/// @param graceSweeps how often it may be too slow
/// @param leastBytes of a sweep, on the average over one request
/// @param bodyBytes the most bytes of the bodies of all requests together, and of all answers that
///   are not read yet; a request that needs more is refused with status 429. Not less than the
///   largest body that a route takes or answers with
/// @param drain how long requests may go on after the stop
public record GatewayLimits(
    int connections,
    int requests,
    int threads,
    Duration idle,
    Duration sweep,
    int graceSweeps,
    long leastBytes,
    long bodyBytes,
    Duration drain) {

  public static final GatewayLimits DEFAULT =
      new GatewayLimits(
          128,
          200_000,
          24,
          Duration.ofSeconds(30),
          Duration.ofSeconds(1),
          10,
          4096,
          32 << 20,
          Duration.ofSeconds(5));

  public GatewayLimits {
    if (connections < 1
        || requests < 1
        || threads < 8
        || graceSweeps < 1
        || leastBytes < 1
        || bodyBytes < 1) {
      throw new IllegalArgumentException(
          "connections, requests, sweeps and bytes start at 1, threads at 8");
    }
  }

  public GatewayLimits withConnections(int changed) {
    return new GatewayLimits(
        changed, requests, threads, idle, sweep, graceSweeps, leastBytes, bodyBytes, drain);
  }

  public GatewayLimits withRequests(int changed) {
    return new GatewayLimits(
        connections, changed, threads, idle, sweep, graceSweeps, leastBytes, bodyBytes, drain);
  }
}
