package dev.agentmemory.cli.recall;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.cli.recall.reply.ConsolidationLogReply;
import dev.agentmemory.cli.recall.reply.ConsolidationReply;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows and undoes what happens to memories without a command.
@Command(
    name = "consolidation",
    description = {
      "Shows, runs and undoes the upkeep of memories.",
      "A consolidation runs every day. It makes memories long-term, merges duplicates, and deletes"
          + " memories that have become irrelevant. Compactions of single sessions are listed, too."
    },
    mixinStandardHelpOptions = true)
final class ConsolidationCommand implements Runnable {

  private static final String JOB = "consolidation";
  private static final int PAGE = 1000;

  private final RecallContext memory;

  @Spec private CommandSpec spec = CommandSpec.create();

  ConsolidationCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(spec), "missing subcommand: expected preview, run, log or undo");
  }

  @Command(
      name = "preview",
      description = "Shows what a consolidation would do now. Changes nothing.",
      mixinStandardHelpOptions = true)
  int preview() {
    return memory.ask(daemon -> new ConsolidationReply(daemon.recall().consolidations().preview()));
  }

  @Command(
      name = "run",
      description = "Runs a consolidation now and waits until it has finished.",
      mixinStandardHelpOptions = true)
  int runNow(
      @Option(
              names = "--dry-run",
              description = "Only show what it would do, like `memory consolidation preview`.")
          boolean dry) {
    return dry ? preview() : memory.ask(daemon -> ran(daemon.jobs().run(JOB)));
  }

  private static Reply ran(Map<String, String> metadata) {
    String what =
        new TreeMap<>(metadata)
            .entrySet().stream()
                .map(pair -> pair.getKey() + " " + pair.getValue())
                .collect(Collectors.joining(", "));
    return Reply.line(
        "consolidated" + (what.isEmpty() ? "" : ": " + what),
        json -> json.text("job", JOB).pairs("metadata", metadata));
  }

  @Command(
      name = "log",
      description =
          "Lists the consolidations and compactions that changed something, latest first.",
      mixinStandardHelpOptions = true)
  int log(
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Maximum number of runs (default: ${DEFAULT-VALUE}).")
          int limit) {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
    return memory.ask(daemon -> {
      List<ConsolidationEntry> runs =
          Page.stream(
                  PageRequest.of(Math.min(PAGE, limit + 1)), daemon.recall().consolidations()::log)
              .limit(limit + 1L)
              .toList();
      return new ConsolidationLogReply(
          runs.subList(0, Math.min(limit, runs.size())), runs.size() > limit, daemon.times());
    });
  }

  @Command(
      name = "undo",
      description = {
        "Restores the memories as they were before a run.",
        "Access counts and what was deleted since stay as they are."
      },
      mixinStandardHelpOptions = true)
  int undo(
      @Parameters(
              paramLabel = "ID",
              description = "Id of the run, as listed by `memory consolidation log`.")
          String id) {
    String run = MemoryId.parse("ID", id.strip()).value();
    return memory.ask(daemon -> {
      ConsolidationEntry undone = daemon.recall().consolidations().undo(run);
      return ConsolidationLogReply.undone(undone);
    });
  }
}
