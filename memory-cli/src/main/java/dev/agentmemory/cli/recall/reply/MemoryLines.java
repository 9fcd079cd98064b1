package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;

/// Memories as lines of a table.
final class MemoryLines {

  private static final String ROW = "%-26s  %-19s  %-12s %4s  ";
  private static final int LEAST_TEXT = 20;

  private final Terminal screen;
  private final Times times;

  MemoryLines(Terminal screen, Times times) {
    this.screen = screen;
    this.times = times;
  }

  void head() {
    screen.line(
        screen.styled(Style.KEY, ROW.formatted("memory", "created", "kind", "imp.") + "content"));
  }

  void line(MemoryRecord memory) {
    String head =
        ROW.formatted(
            memory.id(),
            times.second(memory.validity().created()),
            MemoryForms.spoken(memory.kind()),
            MemoryForms.two(memory.importance()));
    String marks = (memory.pinned() ? "* " : "") + (memory.isSuperseded() ? "(replaced) " : "");
    int room = Math.max(LEAST_TEXT, screen.width() - Columns.width(head));
    screen.line(
        screen.styled(Style.DIM, head) + Columns.cut(marks + memory.content().text(), room));
  }
}
