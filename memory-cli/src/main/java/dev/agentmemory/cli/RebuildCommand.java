package dev.agentmemory.cli;

import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.cli.terminal.Amounts;
import dev.agentmemory.cli.terminal.Exits;
import dev.agentmemory.cli.terminal.JsonPen;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Screen;
import dev.agentmemory.client.MemoryClient;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Makes derived data anew.
@Command(
    name = "rebuild",
    description = "Makes anew what is derived from the event log.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT")
final class RebuildCommand implements Runnable {

  private final MemoryCommand memory;

  @Spec private CommandSpec spec = CommandSpec.create();

  RebuildCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(new CommandLine(spec), "rebuild what? There are: toc, index");
  }

  @Command(
      name = "toc",
      description = {
        "Cuts every session anew and writes what has changed in the table of contents.",
        "Readers are served meanwhile. Returns when segments and grips are done; the"
            + " summaries of days and above follow (`memory status`). Nodes that were reverted"
            + " are summarised anew."
      },
      mixinStandardHelpOptions = true)
  int toc() {
    memory.screen().progress("cutting sessions anew ...");
    try (MemoryClient client = memory.connect()) {
      RebuildReport report = client.admin().rebuildToc();
      memory.screen().progress("");
      memory.say(new Rebuilt(report));
    }
    return Exits.OK;
  }

  @Command(
      name = "index",
      description = {
        "Makes the search index anew from the event log.",
        "Searches are answered from the old one meanwhile; `memory status` says how far the new"
            + " one has come."
      },
      mixinStandardHelpOptions = true)
  int index() {
    memory.screen().progress("making the search index anew ...");
    try (MemoryClient client = memory.connect()) {
      long events = client.search().rebuild();
      memory.screen().progress("");
      memory.say(new Indexed(events));
    }
    return Exits.OK;
  }

  private record Indexed(long events) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(Amounts.count(events, "event") + " indexed anew");
    }

    @Override
    public void write(JsonPen json) {
      json.number("events", events);
    }
  }

  private record Rebuilt(RebuildReport report) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(
          Amounts.count(report.sessions(), "session")
              + " cut anew, "
              + Amounts.count(report.segments(), "segment")
              + "; summaries follow");
    }

    @Override
    public void write(JsonPen json) {
      json.number("sessions", report.sessions()).number("segments", report.segments());
    }
  }
}
