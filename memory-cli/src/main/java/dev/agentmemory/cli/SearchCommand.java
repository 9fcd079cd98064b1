package dev.agentmemory.cli;

import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.reply.SearchReply;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Finds events, summaries and memories.
@Command(
    name = "search",
    description = {
      "Searches events and summaries by words and by meaning, best hits first.",
      "With --kind memory it searches curated memories."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A time in the query (`last week`, `in March`) ranks hits from that time first;",
      "with --strict-time all other hits are excluded."
    })
final class SearchCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Mixin private QueryOptions question = new QueryOptions();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "AUTO",
      description =
          "Search by words (lexical), by meaning (semantic) or by both (hybrid); auto uses both if"
              + " embeddings are available (default: auto).")
  private SearchMode mode = SearchMode.AUTO;

  /// Values of `--fusion`: how two rankings are combined.
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
          "How to rank: by weighted features (weighted) or by reciprocal rank fusion (rrf)"
              + " (default: ${DEFAULT-VALUE}).")
  private Blend blend = Blend.WEIGHTED;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Maximum number of hits, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of hits to skip (default: ${DEFAULT-VALUE}).")
  private int offset;

  @Option(
      names = "--strict-time",
      description = "Return only hits from the time that the query names.")
  private boolean strictTime;

  @Option(names = "--explain", description = "Show the components of each score.")
  private boolean explain;

  SearchCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    question.check();
    check();
    Instant now = memory.system().now();
    return memory.answer(client -> {
      var times = Times.of(client);
      var request =
          new SearchRequest(
              question.query(),
              mode,
              blend.fusion(),
              question.filters(times, now),
              limit,
              offset,
              question.threshold(),
              strictTime,
              explain,
              now);
      return new SearchReply(request, client.search().search(request), times);
    });
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
          "is %d; expected 0 to %d with --limit %d; narrow the query to reach further hits"
              .formatted(offset, most, limit));
    }
  }
}
