package dev.agentmemory.cli.reply;

import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The part of `status` about hooks and HTTP. What has not occurred has no line.
final class GatewayRows {

  /// Outcomes after which something of an agent may be missing, or an agent was not told something.
  private static final Set<String> BAD =
      Set.of(
          "refused",
          "failed",
          "context_failed",
          "unreadable",
          "unknown_agent",
          "capture_unreadable",
          "transcript_refused",
          "transcript_failed",
          "transcript_lines_unreadable");

  /// Part of the ceiling from which on the memory is marked.
  private static final double NEAR = 0.85;

  private GatewayRows() {}

  static void print(Terminal screen, GatewayReport gateway) {
    GatewayReport.Recording recording = gateway.recording();
    if (!recording.excluded().isEmpty()) {
      screen.row("not recorded", String.join(", ", recording.excluded()), Style.KEY);
    }
    if (recording.privateSessions() > 0) {
      String word =
          recording.privateWord().map(one -> ", by the word " + one).orElse(", by a former word");
      screen.row("private", Format.count(recording.privateSessions(), "session") + word);
    }
    if (!gateway.hooks().isEmpty()) {
      boolean bad = gateway.hooks().keySet().stream().anyMatch(BAD::contains);
      screen.row("hooks", counts(gateway.hooks()) + since(), bad ? Style.KEY : Style.PLAIN);
    }
    if (gateway.spool().waiting() > 0 || gateway.spool().rejected() > 0) {
      screen.row(
          "spool",
          "%,d waiting, %,d rejected (folder spool/rejected)"
              .formatted(gateway.spool().waiting(), gateway.spool().rejected()),
          Style.KEY);
    }
    if (!gateway.refusedRequests().isEmpty()) {
      screen.row("http refused", counts(gateway.refusedRequests()) + since(), Style.KEY);
    }
    GatewayReport.ProcessBytes memory = gateway.memory();
    if (memory.ceiling() > 0) {
      screen.row(
          "memory",
          "%,d of %,d MiB".formatted(memory.used() >> 20, memory.ceiling() >> 20),
          memory.used() > NEAR * memory.ceiling() ? Style.KEY : Style.PLAIN);
    }
    if (!gateway.refusedConnections().isEmpty()) {
      screen.row("grpc refused", counts(gateway.refusedConnections()) + since(), Style.KEY);
    }
  }

  private static String counts(Map<String, Long> counts) {
    return new TreeMap<>(counts)
        .entrySet().stream()
            .map(one -> "%,d %s".formatted(one.getValue(), one.getKey().replace('_', ' ')))
            .collect(Collectors.joining(", "));
  }

  private static String since() {
    return " since the start";
  }

  static void write(JsonWriter json, GatewayReport gateway) {
    GatewayReport.Recording recording = gateway.recording();
    json.object("hooks", () -> new TreeMap<>(gateway.hooks()).forEach(json::number))
        .number("spool_waiting", gateway.spool().waiting())
        .number("spool_rejected", gateway.spool().rejected())
        .object(
            "refused_requests",
            () -> new TreeMap<>(gateway.refusedRequests()).forEach(json::number))
        .object(
            "refused_connections",
            () -> new TreeMap<>(gateway.refusedConnections()).forEach(json::number))
        .number("memory_bytes", gateway.memory().used())
        .number("memory_ceiling_bytes", gateway.memory().ceiling())
        .texts("excluded_projects", recording.excluded())
        .text("private_word", recording.privateWord())
        .number("private_sessions", recording.privateSessions());
  }
}
