package dev.agentmemory.storage.backup;

import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The backups of one workspace in a directory of backups. Methods that write or delete require the
/// directory's lock.
public final class WorkspaceBackups {

  private static final String MANIFEST = ".manifest";
  private static final String FAILED = "failed.json";

  private final String name;
  private final Path folder;

  WorkspaceBackups(String name, Path folder) {
    this.name = name;
    this.folder = folder;
  }

  /// The workspace's name.
  public String name() {
    return name;
  }

  Path folder() {
    return folder;
  }

  /// The folder of the contents, each named by its SHA-256.
  Path files() {
    return folder.resolve("files");
  }

  Path file(BackupFile file) {
    return files().resolve(file.sha256());
  }

  Path partial() {
    return folder.resolve("partial");
  }

  Path manifest(String id) {
    return folder.resolve(id + MANIFEST);
  }

  private Path failed() {
    return folder.resolve(FAILED);
  }

  /// Records that a backup failed, and replaces an earlier record.
  ///
  /// @throws MemoryException when it cannot be written
  public void note(FailedBackup failure) {
    try {
      Durable.folder(folder);
      DurableFile.write(failed(), failure.encode());
    } catch (IOException e) {
      throw BackupFailures.writing(failed(), e);
    }
  }

  /// The failure of the last backup; empty when it succeeded.
  public Optional<FailedBackup> lastFailure() {
    List<String> ids = ids();
    try {
      return FailedBackup.decode(Files.readAllBytes(failed()))
          .filter(failure -> ids.isEmpty() || failure.isAfter(ids.getLast()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw BackupFailures.reading(failed(), e);
    }
  }

  /// Deletes the record of a failure after a successful backup.
  void forgetFailure() throws IOException {
    Files.deleteIfExists(failed());
  }

  /// Ids of the backups, the oldest first.
  public List<String> ids() {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(MANIFEST))
          .map(file -> file.substring(0, file.length() - MANIFEST.length()))
          .filter(BackupManifest::isId)
          .sorted((a, b) -> Long.compare(BackupManifest.number(a), BackupManifest.number(b)))
          .toList();
    } catch (IOException e) {
      throw BackupFailures.reading(folder, e);
    }
  }

  /// @throws MemoryException `NOT_FOUND` when there is no such backup, `CORRUPT_RECORD` when its
  ///   manifest is damaged
  public BackupManifest read(String id) {
    Path file = manifest(id);
    try {
      BackupManifest manifest = BackupManifest.decode(Files.readAllBytes(file));
      if (!manifest.id().equals(id) || !manifest.workspace().equals(name)) {
        throw new IOException(
            "it belongs to backup %s of %s".formatted(manifest.id(), manifest.workspace()));
      }
      return manifest;
    } catch (NoSuchFileException e) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "workspace %s has no backup %s in %s; `memory backup list %s` lists the backups"
              .formatted(name, id, folder.getParent(), folder.getParent()),
          e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "the manifest %s cannot be used: %s; use another backup".formatted(file, e.getMessage()),
          e);
    }
  }

  /// The newest backup whose manifest can be read.
  public Optional<BackupManifest> newest() {
    return ids().reversed().stream().flatMap(id -> readable(id).stream()).findFirst();
  }

  private Optional<BackupManifest> readable(String id) {
    try {
      return Optional.of(read(id));
    } catch (MemoryException e) {
      return Optional.empty();
    }
  }

  /// All readable manifests, the newest first.
  List<BackupManifest> readable() {
    return ids().reversed().stream().flatMap(id -> readable(id).stream()).toList();
  }

  /// Deletes all backups except the newest ones, and the contents that only they needed. Backups of
  /// another store with the same name, such as one of another data directory or one that was
  /// deleted, are not counted and are kept.
  ///
  /// @param keep how many are kept; 1 and up
  /// @return how many were deleted
  public int retain(int keep) {
    List<String> ids = idsOfTheNewestStore();
    List<String> old = ids.subList(0, Math.max(0, ids.size() - keep));
    try {
      for (String id : old) {
        Files.deleteIfExists(manifest(id));
      }
      if (!old.isEmpty()) {
        DurableFile.syncDirectory(folder);
      }
      deleteUnused();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot delete old backups in %s (%s); check its permissions"
              .formatted(folder, e.getMessage()),
          e);
    }
    return old.size();
  }

  /// A backup with an unreadable manifest or without a store id counts as one of the same store.
  private List<String> idsOfTheNewestStore() {
    String store = newest().map(BackupManifest::storeId).orElse("");
    return ids().stream()
        .filter(id -> {
          String other = readable(id).map(BackupManifest::storeId).orElse("");
          return other.equals(store) || other.isEmpty() || store.isEmpty();
        })
        .toList();
  }

  /// Deletes contents that no backup needs, such as those of an interrupted run. Deletes nothing
  /// while any manifest cannot be read, because the contents that it needs are unknown.
  void deleteUnused() throws IOException {
    if (!Files.isDirectory(files(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<BackupManifest> manifests = readable();
    if (manifests.size() < ids().size()) {
      return;
    }
    Set<String> used =
        manifests.stream()
            .flatMap(manifest -> manifest.files().stream())
            .map(BackupFile::sha256)
            .collect(Collectors.toSet());
    try (Stream<Path> all = Files.list(files())) {
      for (Path file : all.toList()) {
        if (!used.contains(file.getFileName().toString())) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /// Reads every byte of a backup and compares it with the manifest.
  ///
  /// @return a sentence for each damaged file, which names the file; empty when the backup is
  ///   intact
  /// @throws MemoryException `NOT_FOUND`
  public List<String> verify(String id, BackupProgress progress) {
    BackupManifest manifest;
    try {
      manifest = read(id);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return List.of(String.valueOf(e.getMessage()));
    }
    var wrong = new ArrayList<String>();
    var seen = new HashSet<String>();
    var tally = new Tally(progress, manifest.bytes());
    for (BackupFile file : manifest.files()) {
      if (seen.add(file.sha256())) {
        check(file, tally)
            .ifPresent(problem ->
                wrong.add("%s, which contains %s: %s".formatted(file(file), file.path(), problem)));
      }
    }
    return List.copyOf(wrong);
  }

  private Optional<String> check(BackupFile file, Tally tally) {
    Path content = file(file);
    try {
      if (!Files.isRegularFile(content, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of("it is missing");
      }
      long size = Files.size(content);
      if (size != file.bytes()) {
        return Optional.of("it has %d bytes instead of %d".formatted(size, file.bytes()));
      }
      return Hashing.of(content, tally::add).equals(file.sha256())
          ? Optional.empty()
          : Optional.of(
              "its content has changed since it was written; delete it, and the next backup copies"
                  + " it again if the store still has it");
    } catch (IOException e) {
      return Optional.of("it cannot be read (%s)".formatted(e.getMessage()));
    }
  }
}
