package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;

/// The former states of a memory.
public record FormerMemoriesReply(MemoryId id, MemoryState.History history, Times times)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    if (history.states().isEmpty() && history.skipped() == 0) {
      screen.line("memory " + id + " has never changed");
    }
    for (MemoryState state : history.states()) {
      String head =
          "until %s, %s: %s, %s, importance %s"
              .formatted(
                  times.second(state.until()),
                  state.reason(),
                  MemoryForms.spoken(state.memory().kind()),
                  MemoryForms.spoken(state.memory().lifetime()),
                  MemoryForms.two(state.memory().importance()));
      screen.wrapped("", "  ", head, Style.DIM);
      screen.wrapped("  ", "  ", state.memory().content().text());
    }
    if (history.skipped() > 0) {
      screen.error(
          Format.count(history.skipped(), "former state")
              + " left out because the checksum does not match; run `memory doctor --deep`");
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.text("memory_id", id.value())
        .list(
            "states",
            history.states(),
            state ->
                json.time("until_ms", state.until())
                    .text("reason", state.reason())
                    .object("memory", () -> MemoryForms.memory(json, state.memory())))
        .number("skipped", history.skipped());
  }
}
