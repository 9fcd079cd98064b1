package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.cli.recall.reply.FoundMemoriesReply;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Finds memories.
@Command(
    name = "recall",
    description = {
      "Finds memories by words, by meaning and by filters, the most relevant first.",
      "Without a query all memories that pass the filters are found. Finding a memory counts as"
          + " access, which raises its relevance; with --explain it does not."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A search finds the memories of the workspace and the account. With --session or",
      "--as-session it also finds those of that session and of its channel, with",
      "--channel or --as-channel those of that channel.",
      "In the words of a query, * stands for any characters and ? for one."
    })
final class RecallCommand implements Callable<Integer> {

  private final RecallContext memory;

  @Parameters(
      arity = "0..*",
      paramLabel = "QUERY",
      description =
          "Search terms. Quote them, so that the shell does not change * and ?. Put a query that"
              + " begins with - after --.")
  private List<String> words = List.of();

  @Mixin private MemoryFilterOptions filter = new MemoryFilterOptions();

  @Option(
      names = "--as-session",
      paramLabel = "ID",
      description =
          "Search as this session: also find its own memories and those of its channel (default:"
              + " that of --session).")
  private Optional<String> viewingSession = Optional.empty();

  @Option(
      names = "--as-channel",
      paramLabel = "NAME",
      description =
          "Search from this channel: also find its memories (default: that of --channel, of the"
              + " session, or the default channel).")
  private Optional<String> viewingChannel = Optional.empty();

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      defaultValue = "relevance",
      description = "Order: relevance, time or importance (default: ${DEFAULT-VALUE}).")
  private MemorySearch.Order order = MemorySearch.Order.RELEVANCE;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "Answer with what was true at TIME, a day meaning its end, instead of now.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Maximum number of memories, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--explain",
      description = "Inspect the ranking: does not count as access to the memories found.")
  private boolean explain;

  @Option(names = "--full", description = "Print whole memories instead of their first lines.")
  private boolean full;

  RecallCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    filter.check();
    check();
    Optional<SessionId> session =
        MemoryNames.session("--as-session", viewingSession).or(filter::session);
    Optional<ChannelName> channel =
        MemoryNames.channel("--as-channel", viewingChannel).or(filter::channel);
    return memory.ask(daemon -> {
      Times times = daemon.times();
      var search =
          new MemorySearch(
              query(),
              filter.filter(times, memory.now()),
              new MemorySearch.Viewer(session, channel),
              order,
              asOf.map(text -> MemoryFilterOptions.moment("--as-of", text, times, memory.now())),
              limit,
              explain);
      return new FoundMemoriesReply(search, daemon.recall().memories().search(search), times, full);
    });
  }

  private String query() {
    return String.join(" ", words);
  }

  private void check() {
    asOf.ifPresent(text -> When.parse("--as-of", text));
    int length = query().length();
    if (length > MemorySearch.MAX_QUERY) {
      throw MemoryException.invalid(
          "QUERY",
          "is %d characters long; shorten it to %d at most"
              .formatted(length, MemorySearch.MAX_QUERY));
    }
    if (limit < 1 || limit > MemorySearch.MAX_LIMIT) {
      throw MemoryException.invalid(
          "--limit", "is " + limit + "; expected 1 to " + MemorySearch.MAX_LIMIT);
    }
  }
}
