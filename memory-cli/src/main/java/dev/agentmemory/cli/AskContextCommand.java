package dev.agentmemory.cli;

import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Collects the evidence for a question.
@Command(
    name = "ask-context",
    description = {
      "Prints the best evidence for a question as Markdown for an agent's context window.",
      "Memories come first, then the oldest evidence. Everything cites its sources: [mem:ID],"
          + " [evt:ID], [grip:ID].",
      "Each line begins with `recalled|`, by which agent-memory recognises it where it comes back"
          + " in a conversation; with --json the Markdown has no such mark."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Only the Markdown is written to standard output, which is empty if there is no",
      "evidence. `memory grip ID` shows the source of a [grip:ID]."
    })
final class AskContextCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Mixin private QueryOptions question = new QueryOptions();

  @Option(
      names = "--budget",
      paramLabel = "TOKENS",
      defaultValue = "1500",
      description = "Maximum number of tokens, 50 to 100000 (default: ${DEFAULT-VALUE}).")
  private int budget;

  AskContextCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    question.check();
    if (budget < ContextRequest.LEAST_BUDGET || budget > ContextRequest.MOST_BUDGET) {
      throw MemoryException.invalid(
          "--budget",
          "is %d; expected %d to %d"
              .formatted(budget, ContextRequest.LEAST_BUDGET, ContextRequest.MOST_BUDGET));
    }
    Instant now = memory.system().now();
    return memory.answer(client -> {
      var request =
          ContextRequest.of(question.query(), budget, now)
              .withFilters(question.filters(Times.of(client), now))
              .withThreshold(question.threshold())
              .withEnveloped(!memory.isJson());
      return new Evidence(client.search().context(request));
    });
  }

  private record Evidence(Context context) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (!context.markdown().isEmpty()) {
        screen.line(screen.shown(context.markdown().stripTrailing()));
      }
      context.nothingBecause().ifPresent(why -> screen.error("no evidence: " + why));
      context.degraded().ifPresent(why -> screen.error("limited search: " + why));
      if (context.omitted() > 0) {
        screen.error(
            Format.count(context.omitted(), "more hit")
                + " left out because the token budget is used up; raise --budget");
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.text("markdown", context.markdown())
          .number("tokens", context.tokens())
          .texts("event_ids", context.events())
          .texts("grip_ids", context.grips())
          .number("omitted", context.omitted())
          .text("degraded", context.degraded())
          .text("nothing_because", context.nothingBecause())
          .texts("memory_ids", context.memories());
    }
  }
}
