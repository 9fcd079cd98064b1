package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;

/// What was deleted, or would be.
///
/// @param deleted whether it was
public record DeletedMemoriesReply(DeletionReport report, boolean deleted, Times times)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.line(
        Format.count(report.count(), "memory", "memories")
            + (deleted ? " deleted" : " would be deleted, none is"));
    if (report.skipped() > 0) {
      screen.error(
          Format.count(report.skipped(), "memory", "memories")
              + " cannot be read and may be meant, too; run `memory doctor --deep`, which names"
              + " them, and delete them by id");
    }
    if (report.first().isEmpty()) {
      return;
    }
    var lines = new MemoryLines(screen, times);
    lines.head();
    report.first().forEach(lines::line);
    long unlisted = report.count() - report.first().size();
    if (unlisted > 0) {
      screen.line("%,d more".formatted(unlisted));
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.flag("deleted", deleted)
        .number("count", report.count())
        .list("first", report.first(), memory -> MemoryForms.memory(json, memory))
        .number("skipped", report.skipped());
  }
}
