package dev.agentmemory.daemon.cli;

import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.Source;
import dev.agentmemory.storage.MigrationReport;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Brings the stores of a data directory to the newest format.
@Command(
    name = "migrate",
    description = {
      "Rewrites rows of former formats in the newest one. Wants the daemon stopped.",
      "Not needed to go on: rows of every format are read."
    },
    mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Option(names = "--dry-run", description = "Only count the rows that would be rewritten.")
  private boolean dryRun;

  MigrateCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Path data = memory.data();
    Optional<RunningDaemon> running = RunningDaemon.find(data);
    if (running.isPresent()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the daemon of pid " + running.get().pid() + " uses " + data + "; memory stop first");
    }
    DaemonConfig config =
        ConfigLoader.load(data, List.of(Source.environment(memory.environment())));
    List<Migrated> done = new ArrayList<>();
    for (Path store : stores(data)) {
      memory.screen().progress("looking at " + store.getFileName() + " ...");
      MigrationReport report = RocksStore.migrate(store, config.storage(), dryRun);
      done.add(new Migrated(store.getFileName().toString(), report));
    }
    memory.screen().progress("");
    memory.say(new Done(dryRun, done));
    return done.stream().allMatch(one -> one.report().unreadable() == 0) ? Exits.OK : Exits.FAILED;
  }

  private static List<Path> stores(Path data) throws IOException {
    Path folder = data.resolve("db");
    if (!Files.isDirectory(folder)) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no store in " + data);
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.filter(Files::isDirectory).sorted().toList();
    }
  }

  private record Migrated(String workspace, MigrationReport report) {}

  private record Done(boolean dryRun, List<Migrated> stores) implements Reply {

    @Override
    public void print(Screen screen) {
      for (Migrated one : stores) {
        MigrationReport report = one.report();
        String rows = Amounts.count(report.old(), "row");
        String what =
            report.old() == 0
                ? "all rows have format " + report.to()
                : dryRun
                    ? rows + " would be rewritten in format " + report.to()
                    : rows + " rewritten in format " + report.to();
        String damage =
            report.unreadable() == 0
                ? ""
                : "; " + report.unreadable() + " cannot be read, see `memory doctor`";
        screen.row(one.workspace(), what + damage);
      }
    }

    @Override
    public void write(JsonPen json) {
      json.flag("dry_run", dryRun)
          .list(
              "stores",
              stores,
              one ->
                  json.text("workspace", one.workspace())
                      .number("from", one.report().from())
                      .number("to", one.report().to())
                      .number("rows", one.report().rows())
                      .number("old", one.report().old())
                      .number("unreadable", one.report().unreadable()));
    }
  }
}
