package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.engine.offline.RestoredData;
import dev.agentmemory.rocksdb.backup.FailedBackup;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Makes a data directory of backups. Needs no daemon.
@Command(
    name = "restore",
    description = {
      "Restores backups into an empty or new data directory. Needs no daemon.",
      "Restores the newest backup of each workspace, or of those given with --workspace. Every byte"
          + " is verified. Exit code 1 if a workspace has only failed backups."
    },
    mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Parameters(paramLabel = "DIR", description = "Backup directory.")
  private Path directory = Path.of("");

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DATA",
      description = "Data directory to create.")
  private Path data = Path.of("");

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Restore the backup with this id instead of the newest one.")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--key",
      paramLabel = "KEYFILE",
      description =
          "Key file of encrypted backups. Backups that are not encrypted are refused then.")
  private Optional<Path> key = Optional.empty();

  RestoreCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    var restored =
        new RestoredData(
            memory.system().clock(),
            BackupCommand.directory(directory, key),
            data.toAbsolutePath());
    List<String> names = memory.namedWorkspaces().stream().map(WorkspaceName::value).toList();
    List<RestoredData.Chosen> chosen = restored.choose(names, id);
    List<RestoredData.Lacking> lacking = names.isEmpty() ? restored.lacking(id) : List.of();
    try {
      restored.restore(
          chosen,
          one ->
              (done, total) ->
                  memory
                      .screen()
                      .progress(one.manifest().workspace() + ": " + Format.bytes(done, total)));
    } finally {
      memory.screen().progress("");
    }
    memory.say(new Restored(data, chosen, lacking));
    return lacking.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private record Restored(
      Path data, List<RestoredData.Chosen> chosen, List<RestoredData.Lacking> lacking)
      implements Reply {

    @Override
    public void print(Terminal screen) {
      for (RestoredData.Chosen one : chosen) {
        screen.row(one.manifest().workspace(), sentence(one));
      }
      for (RestoredData.Lacking one : lacking) {
        screen.row(
            one.workspace(),
            "not restored: its backup %s failed: %s"
                .formatted(one.failure().id(), one.failure().why()),
            Terminal.Style.BAD);
      }
      screen.line("start a daemon on it with `memory start --data " + data + "`");
    }

    private static String sentence(RestoredData.Chosen one) {
      return "restored from backup %s, %s%s"
          .formatted(
              one.manifest().id(),
              Format.count(one.manifest().events(), "event"),
              one.later()
                  .map(later ->
                      "; the later backup %s failed: %s".formatted(later.id(), later.why()))
                  .orElse(""));
    }

    @Override
    public void write(JsonWriter json) {
      json.text("data", data.toString())
          .list(
              "restored",
              chosen,
              one ->
                  json.text("workspace", one.manifest().workspace())
                      .text("backup_id", one.manifest().id())
                      .number("events", one.manifest().events())
                      .text("later_failure", one.later().map(FailedBackup::why)))
          .list(
              "not_restored",
              lacking,
              one ->
                  json.text("workspace", one.workspace())
                      .text("backup_id", one.failure().id())
                      .text("error", one.failure().why()));
    }
  }
}
