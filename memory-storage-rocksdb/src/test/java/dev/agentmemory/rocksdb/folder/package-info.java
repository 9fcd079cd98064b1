/// Tests of the stores in folders.
@NullMarked
package dev.agentmemory.rocksdb.folder;

import org.jspecify.annotations.NullMarked;
