package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import java.util.List;

/// A list of memories, one per line.
///
/// @param more whether there are more than these
/// @param skipped how many were left out because their checksum does not match
public record MemoriesReply(List<MemoryRecord> memories, boolean more, long skipped, Times times)
    implements Reply {

  public MemoriesReply {
    memories = List.copyOf(memories);
  }

  @Override
  public void print(Terminal screen) {
    if (memories.isEmpty()) {
      screen.line("no memories");
    } else {
      var lines = new MemoryLines(screen, times);
      lines.head();
      memories.forEach(lines::line);
    }
    if (more) {
      screen.error("there are more; see --limit and the filters in --help");
    }
    warn(screen, skipped);
  }

  /// Reports memories that cannot be shown.
  static void warn(Terminal screen, long skipped) {
    if (skipped > 0) {
      screen.error(
          Format.count(skipped, "memory", "memories")
              + " left out because the checksum does not match; run `memory doctor --deep`");
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("memories", memories, memory -> MemoryForms.memory(json, memory))
        .flag("more", more)
        .number("skipped", skipped);
  }
}
