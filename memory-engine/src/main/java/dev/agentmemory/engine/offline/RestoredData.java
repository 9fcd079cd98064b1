package dev.agentmemory.engine.offline;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.data.DirectoryMarker;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.engine.internal.erase.ForgottenFile;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupManifest;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.FailedBackup;
import dev.agentmemory.rocksdb.backup.Restore;
import dev.agentmemory.rocksdb.backup.WorkspaceBackups;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A data directory that is made of backups. Stores become visible with the last step; a directory
/// whose restoring was broken off holds no store that a daemon would open.
public final class RestoredData {

  /// Where stores are until all of them are whole.
  private static final String UNFINISHED = "restoring";

  private static final String DB = "db";
  private final BackupDirectory backups;
  private final Path data;
  private final InstantSource clock;

  /// One backup that is, or shall be, restored.
  ///
  /// @param later that a backup of the workspace failed after this one; absent when an id was asked
  ///   for
  public record Chosen(
      WorkspaceBackups from, BackupManifest manifest, Optional<FailedBackup> later) {}

  /// A workspace that is not restored because its backup failed.
  public record Lacking(String workspace, FailedBackup failure) {}

  /// @param data the data directory to make
  public RestoredData(InstantSource clock, BackupDirectory backups, Path data) {
    this.clock = clock;
    this.backups = backups;
    this.data = data;
  }

  /// What to restore: of each workspace the newest backup, or the one with an id.
  ///
  /// @param names workspaces; empty for all that have a backup
  /// @param id empty for the newest
  /// @throws MemoryException `NOT_FOUND` when there is no such backup, `CORRUPT_RECORD` when the
  ///   manifest of the newest one is damaged
  public List<Chosen> choose(List<String> names, Optional<String> id) {
    var chosen = new ArrayList<Chosen>();
    for (String name : names.isEmpty() ? backups.names() : names) {
      WorkspaceBackups of = backups.of(name);
      List<String> ids = of.ids();
      boolean has = id.map(ids::contains).orElse(!ids.isEmpty());
      if (has) {
        Optional<FailedBackup> later = of.lastFailure().filter(_ -> id.isEmpty());
        chosen.add(new Chosen(of, of.read(id.orElseGet(ids::getLast)), later));
      } else if (!names.isEmpty()) {
        throw missing(
            "workspace " + name + " has no " + id.map(one -> "backup " + one).orElse("backup"));
      }
    }
    if (chosen.isEmpty()) {
      throw missing(id.map(one -> "no workspace has a backup " + one).orElse("there is no backup"));
    }
    return List.copyOf(chosen);
  }

  /// Workspaces of which there is nothing to restore because their backup failed.
  ///
  /// @param id empty for those that have no backup at all
  public List<Lacking> lacking(Optional<String> id) {
    var lacking = new ArrayList<Lacking>();
    for (String name : backups.names()) {
      WorkspaceBackups of = backups.of(name);
      of.lastFailure()
          .filter(failure -> id.map(failure.id()::equals).orElseGet(() -> of.ids().isEmpty()))
          .ifPresent(failure -> lacking.add(new Lacking(name, failure)));
    }
    return List.copyOf(lacking);
  }

  private MemoryException missing(String what) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        "%s in %s; `memory backup list %s` lists the backups"
            .formatted(what, backups.path(), backups.path()));
  }

  /// Restores them into the directory, which must be missing or empty.
  ///
  /// @param progress receives each
  /// @throws MemoryException `CONFLICT` when the directory holds something, `CORRUPT_RECORD` when a
  ///   file of the backup is damaged; nothing is left in the directory then
  public void restore(List<Chosen> chosen, Function<Chosen, BackupProgress> progress) {
    refuseContent();
    Path draft = data.resolve(UNFINISHED);
    try {
      Files.createDirectories(data);
      Files.createDirectory(draft);
      AuditEntry act = act(chosen);
      long begun = new AuditLog(clock, draft).record(act);
      chosen.forEach(one -> restore(one, draft, progress.apply(one)));
      finish(draft);
      long _ = new AuditLog(clock, data).record(act.ok().endOf(begun));
    } catch (IOException e) {
      StoreDirectory.delete(draft);
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s (%s); check the disk and its permissions"
              .formatted(data, e.getMessage()),
          e);
    } catch (RuntimeException | Error e) {
      StoreDirectory.delete(draft);
      throw e;
    }
  }

  /// The log is restored with the stores: a directory whose restoring failed has none.
  private AuditEntry act(List<Chosen> chosen) {
    return AuditEntry.begin(AuditAct.RESTORE, AuditActor.CLI)
        .withDetails(
            Map.of(
                "directory",
                backups.path().toString(),
                "backups",
                chosen.stream()
                    .map(one -> one.manifest().workspace() + "=" + one.manifest().id())
                    .collect(Collectors.joining(" "))));
  }

  private void refuseContent() {
    if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.list(data)) {
      Optional<Path> first = files.findFirst();
      if (first.isPresent()) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "%s contains %s; choose an empty or new directory with --to"
                .formatted(data, first.get().getFileName()));
      }
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, data + " is not a readable directory; choose another with --to", e);
    }
  }

  private static void restore(Chosen one, Path draft, BackupProgress progress) {
    String name = one.manifest().workspace();
    boolean account = name.equals(BackupMaker.ACCOUNT);
    Path store = account ? draft.resolve(OwnDirectory.ACCOUNT) : draft.resolve(DB).resolve(name);
    Path index = draft.resolve(OwnDirectory.INDEX).resolve(name).resolve("1");
    Restore.restore(one.from(), one.manifest(), store, index, progress);
    if (!account) {
      Path forgotten = OwnDirectory.forgotten(draft, name);
      ForgottenFile.restore(one.from().folder().resolve(ForgottenFile.NAME), forgotten);
    }
  }

  /// The mark of a data directory comes last: without it a daemon does not take the directory for
  /// its own.
  private void finish(Path draft) throws IOException {
    OwnDirectory.restrict(data);
    List<String> parts =
        List.of(
            AuditLog.FILE, OwnDirectory.FORGOTTEN, OwnDirectory.INDEX, OwnDirectory.ACCOUNT, DB);
    for (String part : parts) {
      if (Files.exists(draft.resolve(part))) {
        Files.move(draft.resolve(part), data.resolve(part), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    Files.delete(draft.resolve(AuditLog.LOCK));
    Files.delete(draft);
    DirectoryMarker.write(data, clock.instant());
  }
}
