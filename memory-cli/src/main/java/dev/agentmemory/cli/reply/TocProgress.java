package dev.agentmemory.cli.reply;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.cli.terminal.Format;
import java.util.Collections;
import java.util.Map;

/// How far the table of contents is behind the log.
///
/// @param behind events that the slowest consumer of the outbox has not processed
/// @param dirtyNodes nodes that wait for a rollup, and open segments that wait for their digest
public record TocProgress(boolean complete, long behind, long dirtyNodes) {

  public static TocProgress of(DaemonReport report) {
    Map<String, Long> consumers = report.consumers();
    long slowest = consumers.isEmpty() ? 0 : Collections.min(consumers.values());
    return new TocProgress(
        report.tocComplete(),
        Math.max(0, report.store().outboxHead() - slowest),
        report.store().dirtyNodes());
  }

  public String sentence() {
    if (complete) {
      return "complete";
    }
    return Format.count(behind, "event")
        + " behind, "
        + Format.count(dirtyNodes, "node")
        + " to be summarised again";
  }
}
