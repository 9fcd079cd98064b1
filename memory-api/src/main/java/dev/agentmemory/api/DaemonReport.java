package dev.agentmemory.api;

import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.store.StoreStats;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// State of a daemon: counters of its store, and progress of the consumers of the outbox.
///
/// @param consumers the last outbox sequence that each consumer has applied, by name
/// @param unsupportedBullets bullets left out since the start because no event supports them
/// @param zone in which days begin
/// @param version of the daemon
/// @param tocComplete whether every event is in the table of contents, and nothing waits for a
///   rollup or a digest
/// @param problems what does not work now and what to do about it: a store that takes no events, a
///   worker that stopped on an error; empty if there are none
/// @param summarizer the summariser and its progress
/// @param refused events that were refused since the start
/// @param gateway what came over HTTP and from hooks
/// @param waitsFor why background work waits on purpose; empty when it goes on
public record DaemonReport(
    StoreStats store,
    Map<String, Long> consumers,
    long unsupportedBullets,
    ZoneId zone,
    String version,
    Instant startedAt,
    boolean tocComplete,
    List<String> problems,
    SummarizerReport summarizer,
    RefusalReport refused,
    GatewayReport gateway,
    Optional<String> waitsFor) {

  public DaemonReport {
    consumers = Map.copyOf(consumers);
    problems = List.copyOf(problems);
  }

  /// The same with other problems.
  public DaemonReport withProblems(List<String> other) {
    return new DaemonReport(
        store,
        consumers,
        unsupportedBullets,
        zone,
        version,
        startedAt,
        tocComplete,
        other,
        summarizer,
        refused,
        gateway,
        waitsFor);
  }

  /// The same with another report about HTTP and hooks.
  public DaemonReport withGateway(GatewayReport other) {
    return new DaemonReport(
        store,
        consumers,
        unsupportedBullets,
        zone,
        version,
        startedAt,
        tocComplete,
        problems,
        summarizer,
        refused,
        other,
        waitsFor);
  }
}
