package dev.agentmemory.engine.backup;

import dev.agentmemory.rocksdb.backup.OldBackup;
import java.nio.file.Path;

/// A backup of a store that was made before some time.
///
/// @param directory of the backups
public record EarlierBackup(Path directory, OldBackup backup) {}
