package dev.agentmemory.cli.agent.history;

import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;

/// Result of `memory import memory-jsonl`.
///
/// @param memories that the file has
/// @param refused of these, the ones that were deleted or changed here before
/// @param skipped lines that hold none
public record GraphReply(long memories, long refused, long skipped) implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.line(
        Format.count(memories - refused, "memory", "memories")
            + " stored or known, "
            + refused
            + " left as they were deleted or changed here, "
            + Format.count(skipped, "line")
            + " skipped");
  }

  @Override
  public void write(JsonWriter json) {
    json.number("memories", memories).number("refused", refused).number("skipped", skipped);
  }
}
