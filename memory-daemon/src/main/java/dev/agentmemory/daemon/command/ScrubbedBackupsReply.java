package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.engine.offline.BackupScrub;
import dev.agentmemory.rocksdb.backup.OldBackup;
import java.util.List;

/// The backups that were made before something was erased.
///
/// @param deleted whether they were deleted
record ScrubbedBackupsReply(boolean deleted, List<BackupScrub.Scrubbed> all) implements Reply {

  /// Whether nothing stands in the way of deleting the contents of the affected backups.
  boolean isComplete() {
    return all.stream().allMatch(one -> one.unreadable().isEmpty() || one.affected().isEmpty());
  }

  @Override
  public void print(Terminal screen) {
    if (all.stream().allMatch(one -> one.affected().isEmpty())) {
      screen.line("no backup is affected");
    }
    for (BackupScrub.Scrubbed one : all) {
      if (!one.affected().isEmpty() || one.freedBytes() > 0) {
        screen.row(one.workspace(), sentence(one));
      }
      one.affected().forEach(old -> screen.row("", sentence(old)));
      if (!one.affected().isEmpty() && !one.unreadable().isEmpty()) {
        screen.row(
            "",
            "no files are deleted, because it is unknown which of them is needed by %s, whose manifest"
                    .formatted(String.join(", ", one.unreadable()))
                + " is damaged; delete that manifest and run this again",
            Terminal.Style.BAD);
      } else if (!one.affected().isEmpty() && one.remaining() == 0) {
        screen.row("", "no other backup of it " + (deleted ? "is left" : "would be left"));
      }
    }
    if (!deleted && all.stream().anyMatch(one -> !one.affected().isEmpty())) {
      screen.line("nothing was deleted; --before TIME --delete deletes them");
    }
  }

  private String sentence(BackupScrub.Scrubbed one) {
    return "%s %s, %s %s"
        .formatted(
            Format.count(one.affected().size(), "backup"),
            deleted ? "deleted" : "affected",
            Format.bytes(one.freedBytes()),
            deleted ? "freed" : "would be freed");
  }

  private static String sentence(OldBackup old) {
    return old.id() + ", " + old.problem().orElseGet(() -> Format.bytes(old.bytes()));
  }

  @Override
  public void write(JsonWriter json) {
    json.flag("deleted", deleted)
        .list(
            "workspaces",
            all,
            one ->
                json.text("workspace", one.workspace())
                    .number("freed_bytes", one.freedBytes())
                    .number("remaining", one.remaining())
                    .texts("unreadable", one.unreadable())
                    .list(
                        "backups",
                        one.affected(),
                        old ->
                            json.text("backup_id", old.id())
                                .time("created_at_ms", old.createdAt())
                                .number("bytes", old.bytes())
                                .text("error", old.problem())));
  }
}
