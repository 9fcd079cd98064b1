package dev.agentmemory.cli.reply;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The workspaces, one per line, with their problems.
public record WorkspacesReply(List<WorkspaceReport> workspaces, Instant now) implements Reply {

  private static final String ROW = "%-24s %-6s %10s %8s %11s  %s";
  private static final String UNKNOWN = "?";

  public WorkspacesReply {
    workspaces = List.copyOf(workspaces);
  }

  @Override
  public void print(Terminal screen) {
    screen.line(ROW.formatted("WORKSPACE", "STORE", "EVENTS", "SESSIONS", "DISK", "LAST USED"));
    workspaces.forEach(workspace -> screen.line(row(workspace)));
    for (WorkspaceReport workspace : workspaces) {
      workspace
          .problem()
          .ifPresent(
              problem -> screen.wrapped("", "  ", workspace.name() + ": " + problem, Style.BAD));
    }
  }

  private String row(WorkspaceReport workspace) {
    return ROW.formatted(
        workspace.name(),
        workspace.open() ? "open" : "closed",
        workspace.content().map(content -> "%,d".formatted(content.events())).orElse(UNKNOWN),
        workspace.content().map(content -> "%,d".formatted(content.sessions())).orElse(UNKNOWN),
        Format.bytes(workspace.diskBytes()),
        workspace
            .lastUsed()
            .map(at -> Format.time(Duration.between(at, now)) + " ago")
            .orElse(UNKNOWN));
  }

  @Override
  public void write(JsonWriter json) {
    json.list(
        "workspaces",
        workspaces,
        workspace ->
            json.text("name", workspace.name().value())
                .flag("open", workspace.open())
                .time("last_used_ms", workspace.lastUsed())
                .number("events", workspace.content().map(WorkspaceReport.Content::events))
                .number("sessions", workspace.content().map(WorkspaceReport.Content::sessions))
                .number("disk_bytes", workspace.diskBytes())
                .text("problem", workspace.problem()));
  }
}
