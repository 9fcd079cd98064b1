package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// One memory with all its fields.
public record MemoryReply(MemoryRecord memory, Times times) implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.row("memory", memory.id().value());
    screen.row("content", memory.content().text());
    memory.content().json().ifPresent(json -> screen.row("json", json));
    screen.row(
        "kind", MemoryForms.spoken(memory.kind()) + ", " + MemoryForms.spoken(memory.lifetime()));
    screen.row("scope", MemoryForms.spoken(memory.place().scope()));
    memory.place().channel().ifPresent(channel -> screen.row("channel", channel.value()));
    memory.place().session().ifPresent(session -> screen.row("session", session.value()));
    screen.row("source", memory.source());
    screen.row(
        "importance", MemoryForms.two(memory.importance()) + (memory.pinned() ? ", pinned" : ""));
    list(screen, "tags", List.copyOf(new TreeSet<>(memory.tags())));
    list(screen, "refers to", memory.links().references());
    list(screen, "events", memory.links().events());
    list(screen, "grips", memory.links().grips());
    screen.row("created", times.second(memory.validity().created()));
    if (!memory.validity().updated().equals(memory.validity().created())) {
      screen.row("updated", times.second(memory.validity().updated()));
    }
    if (!memory.validity().validFrom().equals(memory.validity().created())) {
      screen.row("true since", times.second(memory.validity().validFrom()));
    }
    memory
        .validity()
        .supersededBy()
        .ifPresent(id ->
            screen.row(
                "replaced",
                "by "
                    + id
                    + memory
                        .validity()
                        .supersededAt()
                        .map(at -> ", " + times.second(at))
                        .orElse("")));
    screen.row("read", read());
    screen.row("embedding", MemoryForms.spoken(memory.embedding()));
    screen.row("checksum", memory.checksum());
  }

  private String read() {
    return memory
        .use()
        .lastAccess()
        .map(at -> Format.count(memory.use().count(), "time") + ", last " + times.second(at))
        .orElse("never");
  }

  private static void list(Terminal screen, String name, List<?> items) {
    if (!items.isEmpty()) {
      screen.row(name, items.stream().map(Object::toString).collect(Collectors.joining(" ")));
    }
  }

  @Override
  public void write(JsonWriter json) {
    MemoryForms.memory(json, memory);
  }
}
