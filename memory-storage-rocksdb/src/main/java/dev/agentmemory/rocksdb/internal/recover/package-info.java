/// Rows that can be read in the files of a damaged store.
@NullMarked
package dev.agentmemory.rocksdb.internal.recover;

import org.jspecify.annotations.NullMarked;
