/// Looks for texts in the files of a data directory, as they are on the disk: in rows that were
/// replaced or deleted, in compressed blocks, in logs, and in the search index.
@NullMarked
package dev.agentmemory.testkit.bytes;

import org.jspecify.annotations.NullMarked;
