package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How many memories there are, and of what.
public record MemoryStatsReply(MemoryStats stats) implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.row("memories", "%,d, %s".formatted(stats.total(), Format.bytes(stats.bytes())));
    screen.row("scopes", counts(stats.scopes()));
    screen.row("kinds", counts(stats.kinds()));
    screen.row("lifetimes", counts(stats.lifetimes()));
    screen.row("pinned", "%,d".formatted(stats.pinned()));
    screen.row("replaced", "%,d".formatted(stats.superseded()));
    screen.row("without vector", "%,d".formatted(stats.withoutVector()));
    if (stats.corrupt() > 0) {
      screen.row(
          "corrupt",
          "%,d with a checksum that does not match; run `memory doctor --deep`"
              .formatted(stats.corrupt()),
          Style.BAD);
    }
  }

  static <E extends Enum<E>> String counts(Map<E, Long> counts) {
    return counts.isEmpty()
        ? "none"
        : new TreeMap<>(counts)
            .entrySet().stream()
                .map(one -> "%,d %s".formatted(one.getValue(), MemoryForms.spoken(one.getKey())))
                .collect(Collectors.joining(", "));
  }

  @Override
  public void write(JsonWriter json) {
    json.number("total", stats.total())
        .object("scopes", () -> MemoryForms.counts(json, stats.scopes()))
        .object("kinds", () -> MemoryForms.counts(json, stats.kinds()))
        .object("lifetimes", () -> MemoryForms.counts(json, stats.lifetimes()))
        .number("pinned", stats.pinned())
        .number("superseded", stats.superseded())
        .number("without_vector", stats.withoutVector())
        .number("bytes", stats.bytes())
        .number("corrupt", stats.corrupt());
  }
}
