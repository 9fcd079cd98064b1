package dev.agentmemory.daemon.command;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.engine.offline.BackupScrub;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupKey;
import dev.agentmemory.rocksdb.backup.BackupManifest;
import dev.agentmemory.rocksdb.backup.BackupOutline;
import dev.agentmemory.rocksdb.backup.WorkspaceBackups;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Makes backups, lists and checks them.
@Command(
    name = "backup",
    description = {
      "Backs up stores into a directory while the daemon runs; lists and checks backups.",
      "Backs up all stores, or those of the workspaces given with --workspace. Backups are"
          + " incremental: only files that no earlier backup in DIR contains are copied. Every byte"
          + " is read back and verified. With --encrypt-to, or the setting backup.key_file, the backup"
          + " is encrypted."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {

  private static final String DIR = "Backup directory.";
  private static final String KEY = "Key file of encrypted backups.";

  private final MemoryCommand memory;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "Backup directory; created if it does not exist.")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--index",
      description = "Include the search indexes. They can also be rebuilt from the events.")
  private boolean withIndex;

  @Option(
      names = "--encrypt-to",
      paramLabel = "KEYFILE",
      description =
          "Encrypt the backup with the key in this file, which `memory backup key` creates. The"
              + " daemon reads the file.")
  private Optional<Path> keyFile = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  BackupCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Path to =
        directory.orElseThrow(() ->
            new ParameterException(
                new CommandLine(spec), "missing argument: expected the backup directory"));
    Backups.Target plain = Backups.Target.of(to.toAbsolutePath().normalize());
    Backups.Target target =
        keyFile.map(file -> plain.withKeyFile(file.toAbsolutePath().normalize())).orElse(plain);
    List<WorkspaceName> workspaces = memory.namedWorkspaces();
    var ends = new ArrayList<BackupStep>();
    try (MemoryClient client = memory.connectForAll()) {
      client.backups().backup(target, workspaces, withIndex, step -> show(step, ends));
    } finally {
      memory.screen().progress("");
    }
    memory.say(new BackupReply(to, ends));
    boolean failed = ends.stream().anyMatch(BackupStep.Failed.class::isInstance);
    return failed ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private void show(BackupStep step, List<BackupStep> ends) {
    if (step instanceof BackupStep.Going going) {
      String what = going.total() == 0 ? "waiting ..." : Format.bytes(going.done(), going.total());
      memory.screen().progress(going.workspace() + ": " + what);
    } else {
      ends.add(step);
    }
  }

  @Command(
      name = "list",
      description = "Lists the backups in a directory. Needs no daemon.",
      mixinStandardHelpOptions = true)
  int list(
      @Parameters(paramLabel = "DIR", description = DIR) Path path,
      @Option(names = "--key", paramLabel = "KEYFILE", description = KEY) Optional<Path> key) {
    var entries = new ArrayList<BackupsReply.Entry>();
    for (WorkspaceBackups backups : chosen(directory(path, key))) {
      for (String id : backups.ids()) {
        entries.add(entry(backups, id));
      }
      backups
          .lastFailure()
          .ifPresent(failure ->
              entries.add(
                  new BackupsReply.Entry(
                      backups.name(),
                      failure.id(),
                      Optional.empty(),
                      Optional.empty(),
                      Optional.of("failed: " + failure.why()))));
    }
    memory.say(new BackupsReply(entries));
    return ExitCodes.OK;
  }

  private static BackupsReply.Entry entry(WorkspaceBackups backups, String id) {
    try {
      BackupOutline outline = backups.outline(id);
      Optional<BackupManifest> manifest =
          backups.canRead(outline) ? Optional.of(backups.read(id)) : Optional.empty();
      return new BackupsReply.Entry(
          backups.name(), id, Optional.of(outline), manifest, Optional.empty());
    } catch (MemoryException e) {
      return new BackupsReply.Entry(
          backups.name(),
          id,
          Optional.empty(),
          Optional.empty(),
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  @Command(
      name = "verify",
      description = {
        "Checks every byte of the backups in a directory. Needs no daemon.",
        "Reads all files and compares their checksums. Exit code 1 if anything has changed, or if a"
            + " backup needs another key."
      },
      mixinStandardHelpOptions = true)
  int verify(
      @Parameters(paramLabel = "DIR", description = DIR) Path path,
      @Option(names = "--id", paramLabel = "ID", description = "Only the backups with this id.")
          Optional<String> id,
      @Option(names = "--key", paramLabel = "KEYFILE", description = KEY) Optional<Path> key) {
    var checked = new ArrayList<VerifiedReply.Checked>();
    for (WorkspaceBackups backups : chosen(directory(path, key))) {
      for (String one : backups.ids()) {
        if (id.isEmpty() || id.get().equals(one)) {
          checked.add(new VerifiedReply.Checked(backups.name(), one, problems(backups, one)));
        }
      }
    }
    memory.screen().progress("");
    if (checked.isEmpty()) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no backup %sin %s; `memory backup list %s` lists the backups"
              .formatted(id.map(one -> one + " ").orElse(""), path, path));
    }
    memory.say(new VerifiedReply(checked));
    return checked.stream().allMatch(VerifiedReply.Checked::isWell)
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  private List<String> problems(WorkspaceBackups backups, String id) {
    return backups.verify(
        id,
        (done, total) ->
            memory.screen().progress(backups.name() + " " + id + ": " + Format.bytes(done, total)));
  }

  @Command(
      name = "scrub",
      description = {
        "Shows or deletes backups that were made before something was erased. Needs no daemon.",
        "Shows the backups that began before the time given with --before, or all, and how many bytes"
            + " only they need. With --delete they are deleted, whatever their key; other backups"
            + " are not changed. Make a new backup first."
      },
      mixinStandardHelpOptions = true)
  int scrub(
      @Parameters(paramLabel = "DIR", description = DIR) Path path,
      @Option(
              names = "--before",
              paramLabel = "TIME",
              description =
                  "Only backups that began before this time, in UTC unless it has another zone.")
          Optional<String> before,
      @Option(names = "--delete", description = "Delete these backups. Needs --before.")
          boolean delete,
      @Option(names = "--dry-run", description = "Delete nothing, also with --delete.")
          boolean dryRun) {
    Instant now = memory.system().now();
    if (delete && before.isEmpty()) {
      throw MemoryException.invalid(
          "--before", "is missing; --delete needs the time before which backups are deleted");
    }
    // A backup that is written at this moment is one of all, too.
    Instant time =
        before
            .map(text -> When.parse("--before", text).in(ZoneOffset.UTC, now).start())
            .orElse(Instant.MAX);
    var scrub = new BackupScrub(BackupDirectory.open(path));
    List<String> named = memory.namedWorkspaces().stream().map(WorkspaceName::value).toList();
    boolean deletes = delete && !dryRun;
    var reply =
        new ScrubbedBackupsReply(
            deletes, deletes ? scrub.delete(named, time) : scrub.preview(named, time));
    memory.say(reply);
    return reply.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  @Command(
      name = "key",
      description = {
        "Creates a key file for encrypted backups. Needs no daemon.",
        "The file has 256 random bits and is readable by its owner only. A file that exists is not"
            + " changed. Keep a copy elsewhere: without the key, encrypted backups are lost."
      },
      mixinStandardHelpOptions = true)
  int key(
      @Option(
              names = "--output",
              required = true,
              paramLabel = "FILE",
              description = "File to create.")
          Path file) {
    BackupKey key = BackupKey.draw();
    key.write(file);
    memory.say(new KeyReply(file, key.id()));
    return ExitCodes.OK;
  }

  static BackupDirectory directory(Path path, Optional<Path> keyFile) {
    BackupDirectory directory = BackupDirectory.open(path);
    return keyFile.map(BackupKey::read).map(directory::with).orElse(directory);
  }

  /// Of the workspaces that were named, or of all.
  private List<WorkspaceBackups> chosen(BackupDirectory directory) {
    List<String> named = memory.namedWorkspaces().stream().map(WorkspaceName::value).toList();
    return directory.names().stream()
        .filter(name -> named.isEmpty() || named.contains(name))
        .map(directory::of)
        .toList();
  }

  /// How the backups of all stores ended.
  private record BackupReply(Path directory, List<BackupStep> ends) implements Reply {

    @Override
    public void print(Terminal screen) {
      for (BackupStep end : ends) {
        switch (end) {
          case BackupStep.Made made -> screen.row(made.workspace(), sentence(made));
          case BackupStep.Failed failed ->
              screen.row(failed.workspace(), "failed: " + failed.why(), Terminal.Style.BAD);
          case BackupStep.Going _ -> {}
        }
      }
    }

    private static String sentence(BackupStep.Made made) {
      return "backup %s, %s, %s, of which %s are new"
          .formatted(
              made.id(),
              Format.count(made.events(), "event"),
              Format.bytes(made.bytes()),
              Format.bytes(made.newBytes()));
    }

    @Override
    public void write(JsonWriter json) {
      json.text("directory", directory.toString()).list("backups", ends, end -> write(json, end));
    }

    private static void write(JsonWriter json, BackupStep end) {
      json.text("workspace", end.workspace());
      switch (end) {
        case BackupStep.Made made ->
            json.text("backup_id", made.id())
                .number("events", made.events())
                .number("bytes", made.bytes())
                .number("new_bytes", made.newBytes());
        case BackupStep.Failed failed -> json.text("error", failed.why());
        case BackupStep.Going _ -> {}
      }
    }
  }

  /// A line for each backup.
  private record BackupsReply(List<Entry> entries) implements Reply {

    /// @param outline what can be told without a key
    /// @param manifest empty when it needs another key
    /// @param problem why there is none, or why its manifest cannot be used
    record Entry(
        String workspace,
        String id,
        Optional<BackupOutline> outline,
        Optional<BackupManifest> manifest,
        Optional<String> problem) {}

    @Override
    public void print(Terminal screen) {
      if (entries.isEmpty()) {
        screen.line("no backups found");
      }
      for (Entry entry : entries) {
        String what =
            entry.outline().map(outline -> sentence(outline, entry.manifest())).orElse("");
        screen.row(
            entry.workspace(), entry.id() + entry.problem().map(why -> ": " + why).orElse(what));
      }
    }

    private static String sentence(BackupOutline outline, Optional<BackupManifest> manifest) {
      return Stream.of(
              manifest.map(one -> Format.count(one.events(), "event")),
              Optional.of(
                  Format.bytes(manifest.map(BackupManifest::bytes).orElseGet(outline::bytes))),
              manifest.filter(BackupManifest::withIndex).map(_ -> "with the search index"),
              outline.keyId().map(key -> "encrypted with the key " + key))
          .flatMap(Optional::stream)
          .map(part -> ", " + part)
          .collect(Collectors.joining());
    }

    @Override
    public void write(JsonWriter json) {
      json.list(
          "backups",
          entries,
          entry ->
              json.text("workspace", entry.workspace())
                  .text("backup_id", entry.id())
                  .time("created_at_ms", entry.outline().map(BackupOutline::createdAt))
                  .number("events", entry.manifest().map(BackupManifest::events))
                  .number(
                      "bytes",
                      entry
                          .manifest()
                          .map(BackupManifest::bytes)
                          .or(() -> entry.outline().map(BackupOutline::bytes)))
                  .flag("with_index", entry.manifest().map(BackupManifest::withIndex).orElse(false))
                  .text("key_id", entry.outline().flatMap(BackupOutline::keyId))
                  .text("error", entry.problem()));
    }
  }

  /// That a key file was made.
  private record KeyReply(Path file, String id) implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.line("created the key " + id + " in " + file);
      screen.line("keep a copy of it elsewhere: without the key, encrypted backups are lost");
    }

    @Override
    public void write(JsonWriter json) {
      json.text("file", file.toString()).text("key_id", id);
    }
  }

  /// What is wrong with which backup.
  private record VerifiedReply(List<Checked> checked) implements Reply {

    record Checked(String workspace, String id, List<String> problems) {

      boolean isWell() {
        return problems.isEmpty();
      }
    }

    @Override
    public void print(Terminal screen) {
      for (Checked one : checked) {
        screen.row(one.workspace(), one.id() + (one.isWell() ? ", all checksums match" : ""));
        one.problems()
            .forEach(problem -> screen.wrapped("  ", "    ", problem, Terminal.Style.BAD));
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.flag("well", checked.stream().allMatch(Checked::isWell))
          .list(
              "backups",
              checked,
              one ->
                  json.text("workspace", one.workspace())
                      .text("backup_id", one.id())
                      .texts("problems", one.problems()));
    }
  }
}
