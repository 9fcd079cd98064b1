package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;
import java.util.List;

/// The former states of a memory.
public record FormerMemoriesReply(MemoryId id, List<MemoryState> states, Times times)
    implements Reply {

  public FormerMemoriesReply {
    states = List.copyOf(states);
  }

  @Override
  public void print(Terminal screen) {
    if (states.isEmpty()) {
      screen.line("memory " + id + " has never changed");
      return;
    }
    for (MemoryState state : states) {
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
  }

  @Override
  public void write(JsonWriter json) {
    json.text("memory_id", id.value())
        .list(
            "states",
            states,
            state ->
                json.time("until_ms", state.until())
                    .text("reason", state.reason())
                    .object("memory", () -> MemoryForms.memory(json, state.memory())));
  }
}
