package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import java.util.List;

/// The working values of a conversation, one per line.
public record ScratchpadReply(List<ScratchpadEntry> entries, Times times) implements Reply {

  private static final String ROW = "%-19s  %-24s  ";

  public ScratchpadReply {
    entries = List.copyOf(entries);
  }

  @Override
  public void print(Terminal screen) {
    if (entries.isEmpty()) {
      screen.line("the scratchpad is empty");
      return;
    }
    screen.line(screen.styled(Style.KEY, ROW.formatted("updated", "key") + "value"));
    for (ScratchpadEntry entry : entries) {
      String head = ROW.formatted(times.second(entry.updated()), Columns.cut(entry.key(), 24));
      int room = Math.max(20, screen.width() - Columns.width(head));
      screen.line(screen.styled(Style.DIM, head) + Columns.cut(entry.value(), room));
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("entries", entries, entry -> MemoryForms.entry(json, entry));
  }
}
