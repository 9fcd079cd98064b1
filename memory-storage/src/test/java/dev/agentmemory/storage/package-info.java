/// Tests of the store in RocksDB.
@NullMarked
package dev.agentmemory.storage;

import org.jspecify.annotations.NullMarked;
