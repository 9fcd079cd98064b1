package dev.agentmemory.cli;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.reply.WorkspacesReply;
import dev.agentmemory.cli.terminal.Confirmation;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists, creates and deletes workspaces.
@Command(
    name = "workspaces",
    description = "Lists, creates and deletes workspaces.",
    mixinStandardHelpOptions = true)
final class WorkspacesCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  WorkspacesCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    return memory.answer(client -> new WorkspacesReply(list(client), memory.system().now()));
  }

  private static List<WorkspaceReport> list(MemoryClient client) {
    return Page.stream(PageRequest.first(), client.workspaces()::list).toList();
  }

  @Command(
      name = "create",
      description = "Creates a workspace. The first event sent to a workspace also creates it.",
      mixinStandardHelpOptions = true)
  int create(@Parameters(paramLabel = "NAME", description = "Name of the workspace.") String name) {
    WorkspaceName workspace = WorkspaceName.parse("NAME", name);
    return memory.answer(client -> {
      boolean created = client.workspaces().create(workspace);
      return Reply.line(
          "workspace " + name + (created ? " is created" : " already exists"),
          json -> json.text("name", name).flag("created", created));
    });
  }

  @Command(
      name = "delete",
      description = {
        "Deletes a workspace with its events and all data derived from them.",
        "This cannot be undone, so the command asks for confirmation. It waits a few seconds for"
            + " calls in progress."
      },
      mixinStandardHelpOptions = true)
  int delete(
      @Parameters(paramLabel = "NAME", description = "Name of the workspace.") String name,
      @Option(names = "--yes", description = "Do not ask for confirmation.") boolean yes) {
    WorkspaceName workspace = WorkspaceName.parse("NAME", name);
    try (MemoryClient client = memory.connect()) {
      if (!yes && !isConfirmed(client, workspace)) {
        memory.say(deleted(name, false, " was not changed", 0));
        return ExitCodes.FAILED;
      }
      long bytes = client.workspaces().delete(workspace);
      memory.say(deleted(name, true, " is deleted, " + Format.bytes(bytes), bytes));
    }
    return ExitCodes.OK;
  }

  private static boolean isConfirmed(MemoryClient client, WorkspaceName name) {
    String events =
        list(client).stream()
            .filter(report -> report.name().equals(name))
            .flatMap(report -> report.content().stream())
            .map(content -> " with " + Format.count(content.events(), "event"))
            .findFirst()
            .orElse("");
    return Confirmation.ask("delete workspace " + name + events + "? This cannot be undone.")
        .orElseThrow(() ->
            MemoryException.invalid(
                "--yes",
                "is required: there is no terminal on which to ask,"
                    + " and a deletion cannot be undone"));
  }

  private static Reply deleted(String name, boolean deleted, String what, long bytes) {
    return Reply.line(
        "workspace " + name + what,
        json -> json.text("name", name).flag("deleted", deleted).number("disk_bytes", bytes));
  }
}
