package dev.agentmemory.cli;

import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Mode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.reply.SearchReply;
import dev.agentmemory.cli.terminal.Exits;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Finds events and summaries.
@Command(
    name = "search",
    description = "Finds events and summaries by words and by meaning, the best first.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Times in the words (`last week`, `in March`) put what is from then first;",
      "with --strict-time nothing else is found."
    })
final class SearchCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Mixin private Question question = new Question();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "AUTO",
      description =
          "Find by words (lexical), by meaning (semantic) or both (hybrid); auto takes what"
              + " there is (default: auto).")
  private Mode mode = Mode.AUTO;

  /// How two orders become one, as it is typed.
  enum Blend {
    WEIGHTED,
    RRF;

    Fusion fusion() {
      return switch (this) {
        case WEIGHTED -> Fusion.WEIGHTED;
        case RRF -> Fusion.RECIPROCAL_RANK;
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--fusion",
      paramLabel = "HOW",
      defaultValue = "weighted",
      description =
          "Order by weighted features, or by reciprocal rank (rrf) (default: ${DEFAULT-VALUE}).")
  private Blend blend = Blend.WEIGHTED;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Hits at most, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Hits to leave out first (default: ${DEFAULT-VALUE}).")
  private int offset;

  @Option(
      names = "--strict-time",
      description = "Find only what is from the time that the words name.")
  private boolean strictTime;

  @Option(names = "--explain", description = "Show what each score is made of.")
  private boolean explain;

  SearchCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    question.check();
    check();
    Instant now = Instant.now();
    try (MemoryClient client = memory.connect()) {
      var times = Times.of(client);
      var request =
          new SearchRequest(
              question.query(),
              mode,
              blend.fusion(),
              question.filters(times, now),
              limit,
              offset,
              question.minRelevance(),
              strictTime,
              explain,
              now);
      memory.say(new SearchReply(request, client.search().search(request), times));
    }
    return Exits.OK;
  }

  private void check() {
    if (limit < 1 || limit > SearchRequest.MAX_LIMIT) {
      throw MemoryException.invalid(
          "--limit", "is " + limit + "; expected 1 to " + SearchRequest.MAX_LIMIT);
    }
    int most = SearchRequest.MAX_REACH - limit;
    if (offset < 0 || offset > most) {
      throw MemoryException.invalid(
          "--offset",
          "is %d; expected 0 to %d with --limit %d; narrow the question for what lies behind"
              .formatted(offset, most, limit));
    }
  }
}
