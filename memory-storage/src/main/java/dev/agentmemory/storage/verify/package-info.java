/// Checks a snapshot of a store, table by table.
@NullMarked
package dev.agentmemory.storage.verify;

import org.jspecify.annotations.NullMarked;
