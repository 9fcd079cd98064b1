package dev.agentmemory.cli;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.reply.TocPrinter;
import dev.agentmemory.cli.reply.TocReply;
import dev.agentmemory.cli.reply.TocWalk;
import dev.agentmemory.cli.reply.VersionsReply;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows the table of contents and its history.
@Command(
    name = "toc",
    description = "Shows the table of contents or a part of it as a tree.",
    footer = {
      "",
      "Levels are years, months, weeks, days and segments. Ids look like",
      "toc:year:2026, toc:month:2026:01, toc:week:2026:W05, toc:day:2026-01-30",
      "and toc:segment:2026-01-30:<ULID>. A time selects its node: 2026,",
      "2026-01, 2026-W05, 2026-01-30, yesterday. A relative time such as 7d",
      "(ago) selects its day."
    })
final class TocCommand implements Callable<Integer> {

  private static final int TO_WEEKS = 2;

  private final MemoryCommand memory;

  @Parameters(
      arity = "0..1",
      paramLabel = "NODE",
      description = "Id or time of the node to start from (default: all years).")
  private Optional<String> node = Optional.empty();

  @Option(
      names = "--depth",
      paramLabel = "N",
      description =
          "Number of levels to show below it (default: 1 below a node, else down to weeks).")
  private Optional<Integer> depth = Optional.empty();

  @Option(names = "--events", description = "Also list the events of each segment shown.")
  private boolean events;

  @Option(
      names = "--grips",
      description = "Print the node's bullets with the ids of their grips, for `memory grip`.")
  private boolean grips;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of versions with --versions (default: ${DEFAULT-VALUE}).")
  private int limit;

  @ArgGroup private Past past = new Past();

  /// Declared here, because picocli's standard options include a --version, which would conflict
  /// with the one of this command.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  private boolean help;

  /// Options for the versions of a node.
  private static final class Past {

    @Option(names = "--versions", description = "List the kept versions of NODE, newest first.")
    private boolean list;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "Show this version of NODE, even if the node is no longer in the tree.")
    private Optional<Integer> show = Optional.empty();

    @Option(
        names = "--revert",
        paramLabel = "N",
        description = {
          "Restore the title, summary, bullets and keywords of version N as a new version of NODE.",
          "The node is summarised again when something below it changes."
        })
    private Optional<Integer> revert = Optional.empty();

    private boolean isWanted() {
      return list || show.isPresent() || revert.isPresent();
    }
  }

  TocCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    check();
    return memory.answer(client -> {
      var contents = new TocWalk(client, memory.system().clock());
      return past.isWanted()
          ? past(contents, contents.meant("NODE", node.orElseThrow()))
          : tree(contents);
    });
  }

  private void check() {
    if (depth.orElse(0) < 0) {
      throw MemoryException.invalid("--depth", "is negative; expected 0 or more");
    }
    Limit.check(limit);
    if (past.isWanted() && node.isEmpty()) {
      throw MemoryException.invalid("NODE", "is missing; give the node whose versions are meant");
    }
    node.ifPresent(text -> TocWalk.check("NODE", text));
  }

  private Reply tree(TocWalk contents) {
    List<TocNode> roots =
        node.map(text -> List.of(contents.node(contents.meant("NODE", text))))
            .orElseGet(() -> contents.children(Optional.empty()));
    int levels = depth.orElse(node.isPresent() ? 1 : TO_WEEKS);
    return new TocReply(contents, Times.of(contents.client()), roots, levels, events, grips);
  }

  private Reply past(TocWalk contents, NodeId id) {
    MemoryClient client = contents.client();
    if (past.list) {
      return new VersionsReply(id, client.contents().versions(id, 0, limit), Times.of(client));
    }
    return past.show.isPresent()
        ? new Old(client.contents().version(id, past.show.get()), contents, Times.of(client), grips)
        : reverted(client.contents().revert(id, past.revert.orElseThrow()));
  }

  /// One version. The nodes below it are not shown, because they may not exist any more.
  private record Old(TocNode node, TocWalk contents, Times times, boolean grips) implements Reply {

    @Override
    public void print(Terminal screen) {
      var printer = new TocPrinter(contents, screen, times, /* withEvents= */ false, grips);
      printer.head(node, "");
      printer.words(node, "  ");
    }

    @Override
    public void write(JsonWriter json) {
      JsonForms.node(json, node);
      json.texts("child_ids", node.children());
    }
  }

  private static Reply reverted(Reverted reverted) {
    TocNode node = reverted.node();
    int version = node.edition().version();
    return Reply.line(
        reverted.changed()
            ? ("%s now has the content of version %d, as version %d; it is summarised again when"
                    + " something below it changes")
                .formatted(node.id(), node.edition().revertedTo().orElseThrow(), version)
            : "%s already has this content, in version %d".formatted(node.id(), version),
        json -> {
          json.flag("changed", reverted.changed());
          JsonForms.node(json, node);
        });
  }
}
