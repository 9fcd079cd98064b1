package dev.agentmemory.engine.offline;

import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.OldBackup;
import dev.agentmemory.rocksdb.backup.WorkspaceBackups;
import java.time.Instant;
import java.util.List;

/// Removes what was erased from the stores from the backups that were made before. Needs no key.
///
/// A backup has what a store had when it began, and also what had been erased but was still in the
/// store's files. So the time to give is the one at which the compaction after the erasure ended.
public final class BackupScrub {

  private final BackupDirectory backups;

  /// The backups of a workspace.
  ///
  /// @param affected those that began before the time, the oldest first
  /// @param remaining how many others there are
  /// @param freedBytes how many bytes were freed, or would be
  /// @param unreadable ids of other backups whose manifest is damaged; while there is one, no
  ///   contents are deleted, because it is unknown which of them it needs
  public record Scrubbed(
      String workspace,
      List<OldBackup> affected,
      int remaining,
      long freedBytes,
      List<String> unreadable) {

    public Scrubbed {
      affected = List.copyOf(affected);
      unreadable = List.copyOf(unreadable);
    }
  }

  public BackupScrub(BackupDirectory backups) {
    this.backups = backups;
  }

  /// What deleting the affected backups would do. Nothing is written.
  ///
  /// @param names of workspaces; empty for all
  public List<Scrubbed> preview(List<String> names, Instant before) {
    return chosen(names).stream()
        .map(of -> {
          List<OldBackup> affected = of.madeBefore(before);
          return scrubbed(of, affected, of.bytesOnlyOf(ids(affected)));
        })
        .toList();
  }

  /// Deletes the affected backups of each workspace, and the contents that only they need. A run
  /// that is cut off can be repeated: what it left is removed, too.
  ///
  /// @param names of workspaces; empty for all
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` while a backup is written there
  public List<Scrubbed> delete(List<String> names, Instant before) {
    try (var _ = backups.lock()) {
      return chosen(names).stream()
          .map(of -> {
            List<OldBackup> affected = of.madeBefore(before);
            return scrubbed(of, affected, of.delete(ids(affected)));
          })
          .toList();
    }
  }

  private List<WorkspaceBackups> chosen(List<String> names) {
    return backups.names().stream()
        .filter(name -> names.isEmpty() || names.contains(name))
        .map(backups::of)
        .toList();
  }

  private static List<String> ids(List<OldBackup> affected) {
    return affected.stream().map(OldBackup::id).toList();
  }

  private static Scrubbed scrubbed(WorkspaceBackups of, List<OldBackup> affected, long freedBytes) {
    List<String> others = of.ids().stream().filter(id -> !ids(affected).contains(id)).toList();
    List<String> readable = of.outlines().stream().map(outline -> outline.id()).toList();
    return new Scrubbed(
        of.name(),
        affected,
        others.size(),
        freedBytes,
        others.stream().filter(id -> !readable.contains(id)).toList());
  }
}
