package dev.agentmemory.cli.agent;

import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.reply.TocPrinter;
import dev.agentmemory.cli.reply.TocWalk;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Shows what was done on a day.
@Command(
    description = {
      "Shows what was done on that day, from the table of contents, in the order of time.",
      "Below each statement are the ids of its evidence, for `memory why` and `memory grip`."
    },
    mixinStandardHelpOptions = true)
final class DayCommand implements Callable<Integer> {

  private final AgentContext memory;
  private final String day;

  /// @param day `today` or `yesterday`
  DayCommand(AgentContext memory, String day) {
    this.memory = memory;
    this.day = day;
  }

  @Override
  public Integer call() {
    try (MemoryClient client = ProjectConnection.open(memory)) {
      var contents = new TocWalk(client, memory.system().clock());
      NodeId id = contents.meant("DAY", day);
      Optional<TocNode> found = client.contents().node(id);
      List<TocNode> segments =
          found.map(node -> contents.children(Optional.of(node.id()))).orElseGet(List::of);
      memory.say(new DayReply(contents, Times.of(client), day, found, segments));
    }
    return ExitCodes.OK;
  }

  /// The segments of a day. Its own bullets repeat some of theirs.
  private record DayReply(
      TocWalk contents, Times times, String day, Optional<TocNode> node, List<TocNode> segments)
      implements Reply {

    @Override
    public void print(Terminal screen) {
      if (node.isEmpty()) {
        screen.line("nothing was recorded " + day + " in this workspace");
        return;
      }
      screen.line(screen.styled(Style.BOLD, node.get().title()));
      var printer =
          new TocPrinter(contents, screen, times, /* withEvents= */ false, /* withGrips= */ true);
      for (TocNode segment : segments) {
        screen.line();
        String from = times.second(segment.span().start()).substring("2026-01-30 ".length());
        printer.head(segment, screen.styled(Style.DIM, from.substring(0, "14:30".length())) + "  ");
        printer.words(segment, "  ");
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.text("day", node.map(found -> found.id().value()))
          .list("segments", segments, segment -> JsonForms.node(json, segment));
    }
  }
}
