package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;

/// The memories that a memory refers to, by distance.
public record RelatedMemoriesReply(MemoryId id, RelatedMemory.Answer related, Times times)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    if (related.memories().isEmpty()) {
      screen.line("memory " + id + " refers to no other one");
    } else {
      printAll(screen);
    }
    if (related.omitted() > 0) {
      screen.error(
          Format.count(related.omitted(), "more memory", "more memories")
              + " left out because one answer has at most "
              + MemorySearch.MAX_LIMIT
              + "; use a smaller --depth, or go on from one of the last ones");
    }
    MemoriesReply.warn(screen, related.skipped());
  }

  private void printAll(Terminal screen) {
    var lines = new MemoryLines(screen, times);
    lines.head();
    int depth = 0;
    for (RelatedMemory one : related.memories()) {
      if (one.depth() != depth) {
        depth = one.depth();
        screen.line(screen.styled(Style.KEY, distance(depth)));
      }
      lines.line(one.memory());
    }
  }

  private static String distance(int depth) {
    return depth == 1
        ? "referred to directly:"
        : "through " + Format.count(depth - 1L, "other") + ":";
  }

  @Override
  public void write(JsonWriter json) {
    json.text("memory_id", id.value())
        .list(
            "memories",
            related.memories(),
            one ->
                json.number("depth", one.depth())
                    .object("memory", () -> MemoryForms.memory(json, one.memory())))
        .number("skipped", related.skipped())
        .number("omitted", related.omitted());
  }
}
