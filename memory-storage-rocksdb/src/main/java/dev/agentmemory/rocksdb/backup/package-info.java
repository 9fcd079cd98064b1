/// Backups of stores: the directory of backups, its contents, and creating, checking and restoring
/// a backup.
@NullMarked
package dev.agentmemory.rocksdb.backup;

import org.jspecify.annotations.NullMarked;
