package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows the table of contents.
@Command(
    name = "toc",
    description = "Shows the table of contents, or a part of it, as a tree.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Levels are years, months, weeks, days and segments. Ids look like toc:year:2026,",
      "toc:month:2026:01, toc:week:2026:W05, toc:day:2026-01-30, toc:segment:2026-01-30:<ULID>."
    })
final class TocCommand implements Callable<Integer> {

  private static final int TO_WEEKS = 2;

  private final MemoryCommand memory;

  @Parameters(
      arity = "0..1",
      paramLabel = "NODE",
      description = "Where to start (default: all years).")
  private Optional<String> node = Optional.empty();

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Levels below it (default: 1 below a node, else down to weeks).")
  private Optional<Integer> depth = Optional.empty();

  @Option(names = "--events", description = "Also list the events of each segment shown.")
  private boolean events;

  @Option(
      names = "--grips",
      description = "Print the node's bullets with the ids of their grips, for `memory grip`.")
  private boolean grips;

  TocCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    if (depth.orElse(0) < 0) {
      throw MemoryException.invalid("--depth", "is negative; expected 0 or more");
    }
    try (MemoryClient client = memory.connect()) {
      var printer = new TocPrinter(client, memory.screen(), events, grips);
      if (node.isPresent()) {
        printer.tree(find(client, node.get()), depth.orElse(1));
      } else {
        years(printer);
      }
    }
    return Exits.OK;
  }

  private void years(TocPrinter printer) {
    List<TocNode> years = printer.children(Optional.empty());
    if (years.isEmpty()) {
      memory.screen().line("nothing yet; store events with `memory ingest FILE`");
    }
    years.forEach(year -> printer.tree(year, depth.orElse(TO_WEEKS)));
  }

  private static TocNode find(MemoryClient client, String text) {
    NodeId id =
        NodeId.parse(text)
            .orElseThrow(
                () -> MemoryException.invalid("NODE", "is " + text + "; see `memory toc --help`"));
    return client
        .node(id)
        .orElseThrow(
            () -> new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id + " (yet)"));
  }
}
