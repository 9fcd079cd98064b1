package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.util.List;

/// Memories that were stored, one per line.
public record RememberedReply(List<MemoryRecord> memories) implements Reply {

  public RememberedReply {
    memories = List.copyOf(memories);
  }

  @Override
  public void print(Terminal screen) {
    for (MemoryRecord memory : memories) {
      screen.line(
          "%s stored: %s, %s, %s"
              .formatted(
                  memory.id(),
                  MemoryForms.spoken(memory.kind()),
                  MemoryForms.spoken(memory.place().scope()),
                  MemoryForms.spoken(memory.lifetime())));
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("memories", memories, memory -> MemoryForms.memory(json, memory));
  }
}
