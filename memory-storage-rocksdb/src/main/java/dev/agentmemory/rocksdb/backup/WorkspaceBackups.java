package dev.agentmemory.rocksdb.backup;

import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.jspecify.annotations.Nullable;

/// The backups of one workspace in a directory of backups. Methods that write or delete require the
/// directory's lock.
public final class WorkspaceBackups {

  private static final String MANIFEST = ".manifest";
  private static final String FAILED = "failed.json";

  private final String name;
  private final Path folder;
  private final @Nullable BackupKey key;

  /// @param key of encrypted backups; null for those that are not encrypted
  WorkspaceBackups(String name, Path folder, @Nullable BackupKey key) {
    this.name = name;
    this.folder = folder;
    this.key = key;
  }

  /// The workspace's name.
  public String name() {
    return name;
  }

  /// The folder of its backups.
  public Path folder() {
    return folder;
  }

  /// The key with which backups are encrypted; empty when they are not.
  Optional<BackupKey> key() {
    return Optional.ofNullable(key);
  }

  /// The folder of the contents, each named by its SHA-256 or by the key.
  Path files() {
    return folder.resolve("files");
  }

  Path file(BackupFile file) {
    return files().resolve(file.content());
  }

  /// What is authenticated of the place of an encrypted content.
  String place(String content) {
    return "content\n" + name + "\n" + content;
  }

  /// The size of a file as it is stored.
  long storedBytes(long bytes) {
    return key == null ? bytes : EncryptedContent.size(bytes);
  }

  /// Copies the content of a file to a target, which must not exist.
  ///
  /// @return SHA-256 of the content
  /// @throws AEADBadTagException when an encrypted content is not genuine
  String copy(BackupFile file, Path target, LongConsumer copied)
      throws IOException, AEADBadTagException {
    return key == null
        ? Durable.copy(file(file), target, copied)
        : EncryptedContent.decrypt(file(file), target, key, place(file.content()), copied);
  }

  private String hash(BackupFile file, LongConsumer read) throws IOException, AEADBadTagException {
    return key == null
        ? Hashing.of(file(file), read)
        : EncryptedContent.hash(file(file), key, place(file.content()), read);
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

  /// Reads a manifest, with the key when there is one.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such backup, `CORRUPT_RECORD` when its
  ///   manifest is damaged, `CONFLICT` when the key is missing, another one, or not needed
  public BackupManifest read(String id) {
    ManifestFile file = manifestFile(id);
    try {
      BackupManifest manifest =
          switch (file.body()) {
            case ManifestFile.Plain plain -> {
              refuseWithKey(id);
              yield plain.manifest();
            }
            case ManifestFile.Encrypted encrypted -> file.decrypt(encrypted, keyOf(file.outline()));
          };
      refuseAnother(id, manifest.id(), manifest.workspace());
      return manifest;
    } catch (IOException e) {
      throw unusable(id, e);
    }
  }

  /// Reads what a manifest says without a key.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such backup, `CORRUPT_RECORD` when its
  ///   manifest is damaged
  public BackupOutline outline(String id) {
    return manifestFile(id).outline();
  }

  /// Whether it is encrypted with the key, or is not encrypted and there is none.
  public boolean canRead(BackupOutline outline) {
    return outline.keyId().equals(key().map(BackupKey::id));
  }

  private ManifestFile manifestFile(String id) {
    Path file = manifest(id);
    try {
      ManifestFile manifest = ManifestFile.decode(Files.readAllBytes(file));
      refuseAnother(id, manifest.outline().id(), manifest.outline().workspace());
      return manifest;
    } catch (NoSuchFileException e) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "workspace %s has no backup %s in %s; `memory backup list %s` lists the backups"
              .formatted(name, id, folder.getParent(), folder.getParent()),
          e);
    } catch (IOException e) {
      throw unusable(id, e);
    }
  }

  private void refuseAnother(String id, String foundId, String foundName) throws IOException {
    if (!foundId.equals(id) || !foundName.equals(name)) {
      throw new IOException("it belongs to backup %s of %s".formatted(foundId, foundName));
    }
  }

  private MemoryException unusable(String id, IOException cause) {
    return new MemoryException(
        ErrorCode.CORRUPT_RECORD,
        "the manifest %s cannot be used: %s; use another backup"
            .formatted(manifest(id), cause.getMessage()),
        cause);
  }

  /// Nobody vouches for a backup that is not encrypted: whoever can write to the directory could
  /// have put it in the place of an encrypted one.
  private void refuseWithKey(String id) {
    if (key != null) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "backup %s of %s is not encrypted; omit the key to use it".formatted(id, name));
    }
  }

  private BackupKey keyOf(BackupOutline outline) {
    String needed = outline.keyId().orElse("");
    if (key == null) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "backup %s of %s is encrypted with the key %s; give its key file with --key"
              .formatted(outline.id(), name, needed));
    }
    if (!key.id().equals(needed)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "backup %s of %s is encrypted with the key %s, and the key file has the key %s"
              .formatted(outline.id(), name, needed, key.id()));
    }
    return key;
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

  /// All manifests that can be read with the key, or without one, the newest first.
  List<BackupManifest> readable() {
    return ids().reversed().stream().flatMap(id -> readable(id).stream()).toList();
  }

  /// What can be told of the backups without a key, the oldest first. Those with a damaged manifest
  /// are left out.
  public List<BackupOutline> outlines() {
    return ids().stream().flatMap(id -> readableOutline(id).stream()).toList();
  }

  private Optional<BackupOutline> readableOutline(String id) {
    try {
      return Optional.of(outline(id));
    } catch (MemoryException e) {
      return Optional.empty();
    }
  }

  /// Backups that began before a time, the oldest first; also those whose manifest is damaged, by
  /// the time in their ids.
  public List<OldBackup> madeBefore(Instant time) {
    return ids().stream().map(this::old).filter(old -> old.createdAt().isBefore(time)).toList();
  }

  private OldBackup old(String id) {
    try {
      BackupOutline outline = outline(id);
      return new OldBackup(name, id, outline.createdAt(), outline.bytes(), Optional.empty());
    } catch (MemoryException e) {
      return new OldBackup(
          name, id, BackupManifest.time(id), 0, Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /// How many bytes of contents [#delete] of these backups would delete.
  public long bytesOnlyOf(List<String> ids) {
    try {
      long bytes = 0;
      for (Path file : unused(ids)) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException e) {
      throw BackupFailures.reading(files(), e);
    }
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
    delete(old);
    return old.size();
  }

  /// Deletes backups and the contents that no other backup needs. The manifests go first: what a
  /// deletion that was cut off leaves, the next one deletes.
  ///
  /// @param ids those that are not there are ignored
  /// @return how many bytes of contents were deleted
  public long delete(List<String> ids) {
    try {
      for (String id : ids) {
        Files.deleteIfExists(manifest(id));
      }
      if (!ids.isEmpty()) {
        DurableFile.syncDirectory(folder);
      }
      StoreDirectory.delete(partial());
      return deleteUnused();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot delete old backups in %s (%s); check its permissions"
              .formatted(folder, e.getMessage()),
          e);
    }
  }

  /// A backup with an unreadable manifest or without a store id counts as one of the same store.
  private List<String> idsOfTheNewestStore() {
    List<BackupOutline> outlines = outlines();
    String store = outlines.isEmpty() ? "" : outlines.getLast().storeId();
    return ids().stream()
        .filter(id -> {
          String other = readableOutline(id).map(BackupOutline::storeId).orElse("");
          return other.equals(store) || other.isEmpty() || store.isEmpty();
        })
        .toList();
  }

  /// Deletes contents that no backup needs, such as those of an interrupted run. Deletes nothing
  /// while any manifest cannot be read, because the contents that it needs are unknown.
  ///
  /// @return how many bytes were deleted
  long deleteUnused() throws IOException {
    long freed = 0;
    for (Path file : unused(List.of())) {
      long bytes = Files.size(file);
      if (Files.deleteIfExists(file)) {
        freed += bytes;
      }
    }
    if (freed > 0) {
      DurableFile.syncDirectory(files());
    }
    return freed;
  }

  /// Contents that no backup needs except the given ones; none while any other manifest cannot be
  /// read.
  private List<Path> unused(List<String> without) throws IOException {
    if (!Files.isDirectory(files(), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<String> others = ids().stream().filter(id -> !without.contains(id)).toList();
    var used = new HashSet<String>();
    for (String id : others) {
      Optional<BackupOutline> outline = readableOutline(id);
      if (outline.isEmpty()) {
        return List.of();
      }
      used.addAll(outline.get().contents().keySet());
    }
    try (Stream<Path> all = Files.list(files())) {
      return all.filter(file -> !used.contains(String.valueOf(file.getFileName()))).toList();
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
      if (e.code() == ErrorCode.NOT_FOUND) {
        throw e;
      }
      return List.of(String.valueOf(e.getMessage()));
    }
    var wrong = new ArrayList<String>();
    var seen = new HashSet<String>();
    var tally = new Tally(progress, manifest.bytes());
    for (BackupFile file : manifest.files()) {
      if (seen.add(file.content())) {
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
      if (size != storedBytes(file.bytes())) {
        return Optional.of(
            "it has %d bytes instead of %d".formatted(size, storedBytes(file.bytes())));
      }
      return hash(file, tally::add).equals(file.sha256())
          ? Optional.empty()
          : Optional.of(
              "its content has changed since it was written; delete it, and the next backup copies"
                  + " it again if the store still has it");
    } catch (AEADBadTagException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Optional.of("it cannot be read (%s)".formatted(e.getMessage()));
    }
  }
}
