package dev.agentmemory.storage.backup;

import dev.agentmemory.storage.StoreDirectory;
import dev.agentmemory.storage.StoreMarker;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.storage.internal.rocksdb.FileCheck;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes one backup of one workspace. Table files that are in an earlier backup are not copied
/// again. Every byte that is written is read back and compared, and the blocks of table files are
/// compared with their own checksums. The manifest is written last. After a failure nothing of the
/// backup remains, and earlier backups are unchanged.
public final class BackupWriter {

  private final WorkspaceBackups backups;
  private final BackupSource source;

  /// Added contents, which are deleted again after a failure.
  private final List<Path> added = new ArrayList<>();

  private long newBytes;

  /// Result of a backup.
  ///
  /// @param newBytes size of the contents that earlier backups did not have
  public record Written(BackupManifest manifest, long newBytes) {}

  /// @param content SHA-256, when an earlier backup has the file
  private record Planned(
      String path, Path from, long bytes, String tail, Optional<String> content) {}

  private BackupWriter(WorkspaceBackups backups, BackupSource source) {
    this.backups = backups;
    this.source = source;
  }

  /// @param id from [BackupDirectory#nextId]; the caller holds the directory's lock
  /// @throws MemoryException `DISK_FULL`, `STORAGE_FAILED`, `CORRUPT_RECORD` when the store's own
  ///   files are damaged, and the exceptions of the progress
  public static Written write(
      WorkspaceBackups backups, String id, BackupSource source, BackupProgress progress) {
    var writer = new BackupWriter(backups, source);
    try {
      return writer.write(id, progress);
    } catch (IOException e) {
      MemoryException failure = BackupFailures.writing(backups.folder(), e);
      writer.undo(id, failure);
      throw failure;
    } catch (RuntimeException | Error e) {
      writer.undo(id, e);
      throw e;
    }
  }

  private void undo(String id, Throwable cause) {
    // An interrupted thread could not sync or delete anything.
    boolean interrupted = Thread.interrupted();
    try {
      // The manifest first: it may exist although its sync failed.
      Files.deleteIfExists(backups.manifest(id));
      Files.deleteIfExists(DurableFile.draft(backups.manifest(id)));
      StoreDirectory.delete(backups.partial());
      for (Path file : added) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | MemoryException e) {
      cause.addSuppressed(e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Written write(String id, BackupProgress progress) throws IOException {
    Durable.folder(backups.folder());
    StoreDirectory.delete(backups.partial());
    backups.deleteUnused();
    Durable.folder(backups.partial());
    Durable.folder(backups.files());
    StoreDirectory.StoreContents contents = StoreDirectory.contents(source.store());
    List<Planned> plan = plan();
    long missing =
        plan.stream().filter(file -> file.content().isEmpty()).mapToLong(Planned::bytes).sum();
    checkSpace(missing);
    // Each byte is copied and read back.
    var tally = new Tally(progress, 2 * missing);
    var files = new ArrayList<BackupFile>();
    for (Planned file : plan) {
      String sha256 = file.content().isPresent() ? file.content().get() : copied(file, tally);
      files.add(new BackupFile(file.path(), file.bytes(), sha256, file.tail()));
    }
    DurableFile.syncDirectory(backups.files());
    var manifest =
        new BackupManifest(
            id,
            backups.name(),
            StoreMarker.of(source.store()).map(StoreMarker::storeId).orElse(""),
            source.at(),
            source.program(),
            contents.format(),
            contents.outboxHead(),
            contents.events(),
            source.index().isPresent(),
            files);
    DurableFile.write(backups.manifest(id), manifest.encode());
    backups.forgetFailure();
    StoreDirectory.delete(backups.partial());
    return new Written(manifest, newBytes);
  }

  private List<Planned> plan() throws IOException {
    Map<String, String> known = known();
    var plan = new ArrayList<Planned>();
    for (Path file : StoreDirectory.list(StoreDirectory.tables(source.store()))) {
      plan.add(planned(BackupFile.TABLES, file, known));
    }
    Path marker = source.store().resolve(StoreMarker.FILE);
    if (Files.exists(marker, LinkOption.NOFOLLOW_LINKS)) {
      plan.add(planned("", marker, known));
    }
    if (source.index().isPresent()) {
      for (Path file : StoreDirectory.list(source.index().get())) {
        plan.add(planned(BackupFile.INDEX, file, Map.of()));
      }
    }
    return plan;
  }

  private static Planned planned(String folder, Path file, Map<String, String> known)
      throws IOException {
    String path = folder + file.getFileName();
    long bytes = Files.size(file);
    if (!folder.equals(BackupFile.TABLES) || !FileCheck.isTable(path)) {
      return new Planned(path, file, bytes, "", Optional.empty());
    }
    String tail = Hashing.ofTail(file);
    String likeness = new BackupFile(path, bytes, "0".repeat(64), tail).likeness();
    return new Planned(path, file, bytes, tail, Optional.ofNullable(known.get(likeness)));
  }

  /// Table files of earlier backups whose content exists: key to SHA-256.
  private Map<String, String> known() throws IOException {
    Map<String, String> known = new HashMap<>();
    for (BackupManifest manifest : backups.readable()) {
      for (BackupFile file : manifest.files()) {
        if (!file.tail().isEmpty() && isThere(file)) {
          known.putIfAbsent(file.likeness(), file.sha256());
        }
      }
    }
    return known;
  }

  private boolean isThere(BackupFile file) throws IOException {
    Path content = backups.file(file);
    return Files.isRegularFile(content, LinkOption.NOFOLLOW_LINKS)
        && Files.size(content) == file.bytes();
  }

  private void checkSpace(long missing) throws IOException {
    long free = Files.getFileStore(backups.folder()).getUsableSpace();
    if (free - missing < source.minFree()) {
      throw new MemoryException(
          ErrorCode.DISK_FULL,
          ("the backup needs %d MiB and %d MiB are free on the disk of %s, of which %d MiB must stay"
                  + " free; free some disk space, or choose another directory")
              .formatted(missing >> 20, free >> 20, backups.folder(), source.minFree() >> 20));
    }
  }

  private String copied(Planned file, Tally tally) throws IOException {
    Path draft = backups.partial().resolve(String.valueOf(file.from().getFileName()));
    String sha256 = Durable.copy(file.from(), draft, tally::add);
    String written = Hashing.of(draft, tally::add);
    if (!written.equals(sha256)) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "the bytes read back from %s differ from those written; check the disk of the backup"
              .formatted(draft));
    }
    if (!file.tail().isEmpty()) {
      refuseDamage(file, draft);
    }
    keep(draft, backups.files().resolve(sha256));
    newBytes += file.bytes();
    return sha256;
  }

  private void refuseDamage(Planned file, Path copy) {
    Optional<String> damage = StoreDirectory.damage(copy);
    if (damage.isPresent()) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          ("%s is damaged (%s), so no backup was made and earlier backups are kept; run `memory"
                  + " doctor` on workspace %s, or restore a backup")
              .formatted(
                  StoreDirectory.tables(source.origin())
                      .resolve(String.valueOf(file.from().getFileName())),
                  damage.get(),
                  backups.name()));
    }
  }

  /// A file of this name has the same content, or is damaged and is replaced.
  private void keep(Path draft, Path content) throws IOException {
    if (!Files.exists(content, LinkOption.NOFOLLOW_LINKS)) {
      added.add(content);
    }
    Files.move(draft, content, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
