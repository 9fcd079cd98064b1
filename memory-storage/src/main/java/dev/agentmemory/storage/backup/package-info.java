/// Backups of stores: a directory of backups, what one holds, making, checking and restoring one.
@NullMarked
package dev.agentmemory.storage.backup;

import org.jspecify.annotations.NullMarked;
