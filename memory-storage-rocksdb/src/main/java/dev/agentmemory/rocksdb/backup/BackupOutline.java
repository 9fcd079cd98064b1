package dev.agentmemory.rocksdb.backup;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What can be read of a backup without a key. It suffices to tell which contents a backup needs,
/// so that old backups can be deleted without their key.
///
/// @param id a number that grows with every backup of a directory, and the time in UTC
/// @param workspace the name of the store's folder
/// @param storeId id of the store; empty for a store of an earlier format
/// @param createdAt when the backup began
/// @param keyId names the key with which it is encrypted; empty when it is not
/// @param contents names and stored sizes, in bytes, of the contents that it needs
public record BackupOutline(
    String id,
    String workspace,
    String storeId,
    Instant createdAt,
    Optional<String> keyId,
    Map<String, Long> contents) {

  public BackupOutline {
    contents = Map.copyOf(contents);
    if (!BackupManifest.isId(id)) {
      throw new IllegalArgumentException("not the id of a backup: " + id);
    }
  }

  /// Size of the contents that it needs, which other backups may need, too.
  public long bytes() {
    return contents.values().stream().mapToLong(Long::longValue).sum();
  }
}
