package dev.agentmemory.cli;

import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.cli.reply.ModelUsageReply;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.types.MemoryException;
import java.util.Comparator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows what is stored, how much space it takes, and the calls of models.
@Command(
    name = "usage",
    description =
        "Shows record counts, disk usage and model usage. May take a while on a large store.",
    mixinStandardHelpOptions = true)
final class UsageCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "30",
      description =
          "Number of days of model usage to show, including today (default:"
              + " ${DEFAULT-VALUE}).")
  private int days;

  UsageCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    if (days < 1 || days > ModelUsage.MOST_DAYS) {
      throw MemoryException.invalid(
          "--days", "is " + days + "; expected 1 to " + ModelUsage.MOST_DAYS);
    }
    memory.screen().progress("counting ...");
    return memory.answer(client -> {
      StoreUsage usage = client.admin().usage();
      ModelUsage models = client.admin().modelUsage(days);
      memory.screen().progress("");
      return new Used(usage, new ModelUsageReply(models));
    });
  }

  private record Used(StoreUsage usage, ModelUsageReply models) implements Reply {

    @Override
    public void print(Terminal screen) {
      count(screen, "events", usage.events());
      count(screen, "sessions", usage.sessions());
      count(screen, "segments", usage.segments());
      screen.row(
          "nodes",
          "%,14d, in %s".formatted(usage.nodes(), Format.count(usage.nodeVersions(), "version")));
      count(screen, "grips", usage.grips());
      count(screen, "outbox entries", usage.outboxEntries());
      count(screen, "memory rows", usage.records());
      screen.line();
      usage.tables().stream()
          .filter(table -> table.diskBytes() > 0)
          .sorted(Comparator.comparingLong(StoreUsage.Table::diskBytes).reversed())
          .forEach(table -> diskSpace(screen, table.name(), table.diskBytes()));
      long tables = usage.tables().stream().mapToLong(StoreUsage.Table::diskBytes).sum();
      diskSpace(screen, "log and other", Math.max(0, usage.diskBytes() - tables));
      diskSpace(screen, "all", usage.diskBytes());
      screen.line();
      models.print(screen);
    }

    private static void count(Terminal screen, String name, long number) {
      screen.row(name, "%,14d".formatted(number));
    }

    private static void diskSpace(Terminal screen, String name, long bytes) {
      screen.row(name, "%14s".formatted(Format.bytes(bytes)));
    }

    @Override
    public void write(JsonWriter json) {
      json.number("events", usage.events())
          .number("sessions", usage.sessions())
          .number("segments", usage.segments())
          .number("nodes", usage.nodes())
          .number("node_versions", usage.nodeVersions())
          .number("grips", usage.grips())
          .number("outbox_entries", usage.outboxEntries())
          .number("records", usage.records())
          .number("disk_bytes", usage.diskBytes())
          .list(
              "tables",
              usage.tables(),
              table -> json.text("table", table.name()).number("disk_bytes", table.diskBytes()));
      models.write(json);
    }
  }
}
