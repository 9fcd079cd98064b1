/// Files beside the rows: header, lock and witness.
@NullMarked
package dev.agentmemory.rocksdb.internal.home;

import org.jspecify.annotations.NullMarked;
