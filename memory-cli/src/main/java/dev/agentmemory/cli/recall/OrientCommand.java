package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.cli.recall.reply.OrientationReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Prints what an agent has to know when it begins.
@Command(
    name = "orient",
    description = {
      "Prints what an agent has to know when it begins, as Markdown for its context window.",
      "The document has standing preferences and decisions, what was last worked on, and relevant"
          + " memories, each with a citation. Equal states give equal documents.",
      "Each line begins with `recalled|`, by which agent-memory recognises it where it comes back"
          + " in a conversation; with --json the Markdown has no such mark."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Only the Markdown is written to standard output."})
final class OrientCommand implements Callable<Integer> {

  private final RecallContext memory;

  @Parameters(
      arity = "0..*",
      paramLabel = "QUERY",
      description = "What the session is about (default: unknown).")
  private List<String> words = List.of();

  @Option(names = "--session", paramLabel = "ID", description = "Session of the agent.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--channel",
      paramLabel = "NAME",
      description = "Channel (default: that of the session, or the default channel).")
  private Optional<String> channel = Optional.empty();

  @Option(
      names = "--budget",
      paramLabel = "TOKENS",
      defaultValue = "1000",
      description = "Maximum number of tokens, 100 to 32000 (default: ${DEFAULT-VALUE}).")
  private int budget;

  OrientCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    var viewer =
        new MemorySearch.Viewer(
            MemoryNames.session("--session", session), MemoryNames.channel("--channel", channel));
    OrientationRequest request =
        MemoryNames.fromOptions(() ->
            new OrientationRequest(String.join(" ", words), viewer, budget)
                .withEnveloped(!memory.isJson()));
    return memory.ask(daemon -> new OrientationReply(daemon.recall().orient(request)));
  }
}
