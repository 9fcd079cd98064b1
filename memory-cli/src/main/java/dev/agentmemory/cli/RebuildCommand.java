package dev.agentmemory.cli;

import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Reply;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Builds derived data again.
@Command(
    name = "rebuild",
    description = "Rebuilds data that is derived from the event log.",
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
    throw new ParameterException(new CommandLine(spec), "missing argument: expected toc or index");
  }

  @Command(
      name = "toc",
      description = {
        "Segments every session again and updates the table of contents.",
        "Reads continue during the rebuild. The command returns when segments and grips are done;"
            + " summaries of days and above are updated in the background (see `memory status`)."
            + " Reverted nodes are summarised again."
      },
      mixinStandardHelpOptions = true)
  int toc() {
    memory.screen().progress("segmenting sessions ...");
    return memory.answer(client -> {
      RebuildReport report = client.admin().rebuildToc();
      memory.screen().progress("");
      return Reply.line(
          Format.count(report.sessions(), "session")
              + " segmented again, "
              + Format.count(report.segments(), "segment")
              + "; summaries are updated in the background",
          json -> json.number("sessions", report.sessions()).number("segments", report.segments()));
    });
  }

  @Command(
      name = "index",
      description = {
        "Rebuilds the search index from the event log.",
        "Searches use the old index until the new one is complete;"
            + " `memory status` shows the progress."
      },
      mixinStandardHelpOptions = true)
  int index() {
    memory.screen().progress("rebuilding the search index ...");
    return memory.answer(client -> {
      long events = client.search().rebuild();
      memory.screen().progress("");
      return Reply.line(
          Format.count(events, "event") + " indexed", json -> json.number("events", events));
    });
  }
}
