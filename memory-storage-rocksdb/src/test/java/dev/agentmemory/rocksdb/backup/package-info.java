/// Backups of real stores.
@NullMarked
package dev.agentmemory.rocksdb.backup;

import org.jspecify.annotations.NullMarked;
