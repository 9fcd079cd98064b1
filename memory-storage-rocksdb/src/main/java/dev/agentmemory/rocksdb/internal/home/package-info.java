/// Files beside the rows: lock, witness, disk space.
@NullMarked
package dev.agentmemory.rocksdb.internal.home;

import org.jspecify.annotations.NullMarked;
