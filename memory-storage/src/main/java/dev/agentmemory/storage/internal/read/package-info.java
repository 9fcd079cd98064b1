/// Reads rows, table by table, of the present or of one moment.
@NullMarked
package dev.agentmemory.storage.internal.read;

import org.jspecify.annotations.NullMarked;
