/// Backups of real stores.
@NullMarked
package dev.agentmemory.storage.backup;

import org.jspecify.annotations.NullMarked;
