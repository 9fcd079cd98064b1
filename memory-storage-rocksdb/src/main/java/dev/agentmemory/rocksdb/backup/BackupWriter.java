package dev.agentmemory.rocksdb.backup;

import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.rocksdb.internal.engine.FileCheck;
import dev.agentmemory.storage.file.DurableFile;
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
import javax.crypto.AEADBadTagException;

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

  /// @param known the file in an earlier backup that has it
  private record Planned(
      String path, Path from, long bytes, String tail, Optional<BackupFile> known) {}

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
        plan.stream().filter(file -> file.known().isEmpty()).mapToLong(Planned::bytes).sum();
    checkSpace(missing);
    Optional<BackupKey> key = backups.key();
    // Each byte is copied and read back; before it is encrypted, its file is hashed.
    var tally = new Tally(progress, (key.isPresent() ? 3 : 2) * missing);
    var files = new ArrayList<BackupFile>();
    for (Planned file : plan) {
      files.add(
          file.known().isPresent()
              ? file.known().get()
              : key.isPresent() ? encrypted(file, key.get(), tally) : copied(file, tally));
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
    DurableFile.write(
        backups.manifest(id),
        key.isPresent()
            ? ManifestFile.encrypted(manifest, key.get())
            : ManifestFile.plain(manifest));
    backups.forgetFailure();
    StoreDirectory.delete(backups.partial());
    return new Written(manifest, newBytes);
  }

  private List<Planned> plan() throws IOException {
    Map<String, BackupFile> known = known();
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

  private static Planned planned(String folder, Path file, Map<String, BackupFile> known)
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

  /// Table files of earlier backups whose content exists, by likeness.
  private Map<String, BackupFile> known() throws IOException {
    Map<String, BackupFile> known = new HashMap<>();
    for (BackupManifest manifest : backups.readable()) {
      for (BackupFile file : manifest.files()) {
        if (!file.tail().isEmpty() && isThere(file)) {
          known.putIfAbsent(file.likeness(), file);
        }
      }
    }
    return known;
  }

  private boolean isThere(BackupFile file) throws IOException {
    Path content = backups.file(file);
    return Files.isRegularFile(content, LinkOption.NOFOLLOW_LINKS)
        && Files.size(content) == backups.storedBytes(file.bytes());
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

  private BackupFile copied(Planned file, Tally tally) throws IOException {
    Path draft = draft(file);
    String sha256 = Durable.copy(file.from(), draft, tally::add);
    compare(draft, sha256, Hashing.of(draft, tally::add));
    if (!file.tail().isEmpty()) {
      refuseDamage(file, draft);
    }
    return kept(draft, new BackupFile(file.path(), file.bytes(), sha256, file.tail()));
  }

  /// Nothing unencrypted is written, not even for a moment. The name of the content is
  /// authenticated with each of its chunks, so the file is read a first time for the name.
  private BackupFile encrypted(Planned file, BackupKey key, Tally tally) throws IOException {
    if (!file.tail().isEmpty()) {
      refuseDamage(file, file.from());
    }
    String sha256 = Hashing.of(file.from(), tally::add);
    String content = key.contentName(backups.name(), sha256);
    Path draft = draft(file);
    String place = backups.place(content);
    if (!EncryptedContent.encrypt(file.from(), draft, key, place, tally::add).equals(sha256)) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "%s changed while it was backed up; check the disk of the data directory"
              .formatted(file.from()));
    }
    compare(draft, sha256, readBack(draft, key, place, tally));
    return kept(draft, new BackupFile(file.path(), file.bytes(), sha256, file.tail(), content));
  }

  /// @return the hash; empty when it is not what was written
  private static String readBack(Path draft, BackupKey key, String place, Tally tally)
      throws IOException {
    try {
      return EncryptedContent.hash(draft, key, place, tally::add);
    } catch (AEADBadTagException e) {
      return "";
    }
  }

  private Path draft(Planned file) {
    return backups.partial().resolve(String.valueOf(file.from().getFileName()));
  }

  private static void compare(Path draft, String sha256, String readBack) {
    if (!readBack.equals(sha256)) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "the bytes read back from %s differ from those written; check the disk of the backup"
              .formatted(draft));
    }
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
  private BackupFile kept(Path draft, BackupFile file) throws IOException {
    Path content = backups.file(file);
    if (!Files.exists(content, LinkOption.NOFOLLOW_LINKS)) {
      added.add(content);
    }
    Files.move(draft, content, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    newBytes += file.bytes();
    return file;
  }
}
