package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.Page;
import dev.agentmemory.daemon.cli.Screen.Ink;
import dev.agentmemory.store.WorkspaceReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Lists the workspaces.
@Command(
    name = "workspaces",
    description = "Lists the workspaces: what each holds and when it was last used.",
    mixinStandardHelpOptions = true)
final class WorkspacesCommand implements Callable<Integer> {

  private static final String ROW = "%-24s %-7s %12s %10s %11s  %s";
  private static final String UNKNOWN = "?";

  private final MemoryCommand memory;

  WorkspacesCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    List<WorkspaceReport> all = new ArrayList<>();
    try (MemoryClient client = memory.connect()) {
      Optional<String> next = Optional.empty();
      do {
        Page<WorkspaceReport> page = client.workspaces(next, 0);
        all.addAll(page.items());
        next = page.next();
      } while (next.isPresent());
    }
    Instant now = Instant.now();
    Screen screen = memory.screen();
    screen.line(ROW.formatted("WORKSPACE", "STORE", "EVENTS", "SESSIONS", "DISK", "LAST USED"));
    all.forEach(workspace -> screen.line(row(workspace, now)));
    all.forEach(this::problem);
    return Exits.OK;
  }

  private static String row(WorkspaceReport workspace, Instant now) {
    return ROW.formatted(
        workspace.name(),
        workspace.open() ? "open" : "closed",
        workspace.content().map(content -> "%,d".formatted(content.events())).orElse(UNKNOWN),
        workspace.content().map(content -> "%,d".formatted(content.sessions())).orElse(UNKNOWN),
        Amounts.bytes(workspace.diskBytes()),
        workspace
            .lastUsed()
            .map(at -> Amounts.time(Duration.between(at, now)) + " ago")
            .orElse(UNKNOWN));
  }

  private void problem(WorkspaceReport workspace) {
    workspace
        .problem()
        .ifPresent(problem ->
            memory.screen().line(memory.screen().ink(Ink.BAD, workspace.name() + ": " + problem)));
  }
}
