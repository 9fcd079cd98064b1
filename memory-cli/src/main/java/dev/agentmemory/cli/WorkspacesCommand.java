package dev.agentmemory.cli;

import dev.agentmemory.api.Page;
import dev.agentmemory.api.PageRequest;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.cli.reply.WorkspacesReply;
import dev.agentmemory.cli.terminal.Amounts;
import dev.agentmemory.cli.terminal.Confirmation;
import dev.agentmemory.cli.terminal.Exits;
import dev.agentmemory.cli.terminal.JsonPen;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Screen;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists the workspaces, creates and deletes them.
@Command(
    name = "workspaces",
    description = "Lists the workspaces and what each holds; creates and deletes them.",
    mixinStandardHelpOptions = true)
final class WorkspacesCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  WorkspacesCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    try (MemoryClient client = memory.connect()) {
      memory.say(new WorkspacesReply(list(client), Instant.now()));
    }
    return Exits.OK;
  }

  private static List<WorkspaceReport> list(MemoryClient client) {
    return Page.stream(PageRequest.first(), client.workspaces()::list).toList();
  }

  @Command(
      name = "create",
      description = "Creates a workspace. The first event that is sent to one does so, too.",
      mixinStandardHelpOptions = true)
  int create(@Parameters(paramLabel = "NAME", description = "Its name.") String name) {
    WorkspaceName workspace = WorkspaceName.parse("NAME", name);
    boolean created;
    try (MemoryClient client = memory.connect()) {
      created = client.workspaces().create(workspace);
    }
    memory.say(new Created(name, created));
    return Exits.OK;
  }

  @Command(
      name = "delete",
      description = {
        "Deletes a workspace: its events and everything that was made of them.",
        "This cannot be undone, so it asks first. Calls in progress are waited for, for a few seconds."
      },
      mixinStandardHelpOptions = true)
  int delete(
      @Parameters(paramLabel = "NAME", description = "Its name.") String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    WorkspaceName workspace = WorkspaceName.parse("NAME", name);
    try (MemoryClient client = memory.connect()) {
      if (!yes && !isConfirmed(client, workspace)) {
        memory.say(new Deleted(name, false, 0));
        return Exits.FAILED;
      }
      memory.say(new Deleted(name, true, client.workspaces().delete(workspace)));
    }
    return Exits.OK;
  }

  private static boolean isConfirmed(MemoryClient client, WorkspaceName name) {
    String events =
        list(client).stream()
            .filter(report -> report.name().equals(name))
            .flatMap(report -> report.content().stream())
            .map(content -> " with " + Amounts.count(content.events(), "event"))
            .findFirst()
            .orElse("");
    return Confirmation.ask("delete workspace " + name + events + "? This cannot be undone.")
        .orElseThrow(() ->
            MemoryException.invalid(
                "--yes",
                "is needed here: there is no terminal to ask on, and a deletion cannot be undone"));
  }

  private record Created(String name, boolean created) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line("workspace " + name + (created ? " is created" : " exists already"));
    }

    @Override
    public void write(JsonPen json) {
      json.text("name", name).flag("created", created);
    }
  }

  private record Deleted(String name, boolean deleted, long bytes) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(
          "workspace "
              + name
              + (deleted ? " is deleted, " + Amounts.bytes(bytes) : " is left as it was"));
    }

    @Override
    public void write(JsonPen json) {
      json.text("name", name).flag("deleted", deleted).number("disk_bytes", bytes);
    }
  }
}
