/// Reads rows, table by table, current ones or those of a snapshot.
@NullMarked
package dev.agentmemory.storage.read;

import org.jspecify.annotations.NullMarked;
