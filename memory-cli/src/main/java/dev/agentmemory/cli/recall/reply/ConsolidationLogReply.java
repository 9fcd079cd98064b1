package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import java.util.ArrayList;
import java.util.List;

/// The runs that changed memories, one per line.
///
/// @param more whether there are more than these
public record ConsolidationLogReply(List<ConsolidationEntry> runs, boolean more, Times times)
    implements Reply {

  private static final String ROW = "%-26s  %-19s  %-13s  ";

  public ConsolidationLogReply {
    runs = List.copyOf(runs);
  }

  /// A run that was undone.
  public static Reply undone(ConsolidationEntry run) {
    return Reply.line(
        run.kind() + " " + run.id() + " is undone: " + changes(run.counts()),
        json -> MemoryForms.run(json, run));
  }

  @Override
  public void print(Terminal screen) {
    if (runs.isEmpty()) {
      screen.line("no run has changed anything");
      return;
    }
    screen.line(screen.styled(Style.KEY, ROW.formatted("run", "time", "kind") + "changes"));
    for (ConsolidationEntry run : runs) {
      String head = ROW.formatted(run.id(), times.second(run.time()), run.kind());
      String undone = run.undone().map(at -> "; undone " + times.second(at)).orElse("");
      screen.wrapped(head, "  ", changes(run.counts()) + undone);
    }
    if (more) {
      screen.error("there are more; see --limit");
    }
  }

  private static String changes(ConsolidationCounts counts) {
    List<String> parts = new ArrayList<>();
    add(parts, counts.promoted(), "promoted");
    add(parts, counts.pruned(), "pruned");
    add(parts, counts.merged(), "merged");
    add(parts, counts.superseded(), "superseded");
    add(parts, counts.capped(), "capped");
    add(parts, counts.expired(), "expired");
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add("%,d %s".formatted(count, what));
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("runs", runs, run -> MemoryForms.run(json, run)).flag("more", more);
  }
}
