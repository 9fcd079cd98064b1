package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.StoreUsage;
import java.util.Comparator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Says what is stored and how much room it takes.
@Command(
    name = "usage",
    description = "Counts what is stored and the room it takes. May take a while.",
    mixinStandardHelpOptions = true)
final class UsageCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  UsageCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    memory.screen().progress("counting ...");
    try (MemoryClient client = memory.connect()) {
      StoreUsage usage = client.usage();
      memory.screen().progress("");
      memory.say(new Used(usage));
    }
    return Exits.OK;
  }

  private record Used(StoreUsage usage) implements Reply {

    @Override
    public void print(Screen screen) {
      count(screen, "events", usage.events());
      count(screen, "sessions", usage.sessions());
      count(screen, "segments", usage.segments());
      screen.row(
          "nodes",
          "%,14d, in %s".formatted(usage.nodes(), Amounts.count(usage.nodeVersions(), "version")));
      count(screen, "grips", usage.grips());
      count(screen, "outbox entries", usage.outboxEntries());
      screen.line();
      usage.tables().stream()
          .filter(table -> table.diskBytes() > 0)
          .sorted(Comparator.comparingLong(StoreUsage.Table::diskBytes).reversed())
          .forEach(table -> room(screen, table.name(), table.diskBytes()));
      long tables = usage.tables().stream().mapToLong(StoreUsage.Table::diskBytes).sum();
      room(screen, "log and other", Math.max(0, usage.diskBytes() - tables));
      room(screen, "all", usage.diskBytes());
    }

    private static void count(Screen screen, String name, long number) {
      screen.row(name, "%,14d".formatted(number));
    }

    private static void room(Screen screen, String name, long bytes) {
      screen.row(name, "%14s".formatted(Amounts.bytes(bytes)));
    }

    @Override
    public void write(JsonPen json) {
      json.number("events", usage.events())
          .number("sessions", usage.sessions())
          .number("segments", usage.segments())
          .number("nodes", usage.nodes())
          .number("node_versions", usage.nodeVersions())
          .number("grips", usage.grips())
          .number("outbox_entries", usage.outboxEntries())
          .number("disk_bytes", usage.diskBytes())
          .list(
              "tables",
              usage.tables(),
              table -> json.text("table", table.name()).number("disk_bytes", table.diskBytes()));
    }
  }
}
