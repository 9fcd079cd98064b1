package dev.agentmemory.rocksdb.backup;

import java.time.Instant;
import java.util.Optional;

/// A backup that was made before some time, as far as can be told without a key.
///
/// @param workspace the name of the store's folder
/// @param createdAt when it began; the time in its id, which is earlier, when its manifest is
///   damaged
/// @param bytes size of the contents that it needs, which other backups may need, too; 0 when its
///   manifest is damaged
/// @param problem why its manifest cannot be used
public record OldBackup(
    String workspace, String id, Instant createdAt, long bytes, Optional<String> problem) {}
