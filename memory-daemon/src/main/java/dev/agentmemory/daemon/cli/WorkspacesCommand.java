package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.Page;
import dev.agentmemory.store.WorkspaceReport;
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
    memory.say(new WorkspacesReply(all, Instant.now()));
    return Exits.OK;
  }
}
