package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.offline.OfflineStores;
import dev.agentmemory.rocksdb.MigrationReport;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Rewrites what former versions have written. Needs no daemon, and none may run.
@Command(
    name = "migrate",
    description = {
      "Rewrites records in older formats to the current format.",
      "Optional: records in older formats stay readable and are upgraded the next time they are"
          + " written. The daemon must be stopped."
    },
    mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Option(names = "--dry-run", description = "Only count the records to rewrite; change nothing.")
  private boolean dryRun;

  @Mixin private SettingOptions options = new SettingOptions();

  MigrateCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    EngineConfig config =
        ConfigLoader.load(memory.data(), options.sources(memory.environment())).engine();
    RunningDaemon.requireNone(config.data());
    var stores = new ArrayList<Migrated>();
    for (StoreLocation store : OfflineStores.of(config)) {
      memory.screen().progress("reading " + OfflineStores.name(store) + " ...");
      stores.add(migrated(store, config));
      memory.screen().progress("");
    }
    memory.say(new Done(stores, dryRun));
    return stores.stream().allMatch(store -> store.error().isEmpty())
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  /// One store that cannot be opened does not keep the others from it.
  private Migrated migrated(StoreLocation store, EngineConfig config) {
    String name = OfflineStores.name(store);
    try {
      if (!dryRun) {
        OfflineStores.backUpBeforeUpgrade(memory.system(), config, store);
      }
      MigrationReport report =
          RocksStore.migrate(store, config.storage(), memory.system().clock(), dryRun);
      return new Migrated(name, Optional.of(report), Optional.empty());
    } catch (MemoryException e) {
      return new Migrated(name, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /// @param error why it could not be done
  private record Migrated(String store, Optional<MigrationReport> report, Optional<String> error) {}

  private record Done(List<Migrated> stores, boolean dryRun) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (stores.isEmpty()) {
        screen.line("no stores found");
      }
      stores.forEach(store ->
          screen.row(
              store.store(), store.report().map(this::sentence).orElse(store.error().orElse(""))));
    }

    private String sentence(MigrationReport report) {
      if (report.from() == report.to()) {
        return "format %d, nothing to do".formatted(report.to());
      }
      String what =
          "format %d to %d, %s %s"
              .formatted(
                  report.from(),
                  report.to(),
                  Format.count(report.old(), "record"),
                  dryRun ? "would be rewritten" : "rewritten");
      return report.unreadable() == 0
          ? what
          : what + ", %,d cannot be read; see `memory doctor`".formatted(report.unreadable());
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("dry_run", dryRun)
          .list(
              "stores",
              stores,
              store -> {
                MigrationReport report = store.report().orElse(new MigrationReport(0, 0, 0, 0, 0));
                json.text("store", store.store())
                    .text("error", store.error())
                    .number("from_format", report.from())
                    .number("to_format", report.to())
                    .number("records", report.rows())
                    .number("old_records", report.old())
                    .number("unreadable_records", report.unreadable());
              });
    }
  }
}
