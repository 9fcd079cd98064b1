/// Tests of the store in RocksDB.
@NullMarked
package dev.agentmemory.rocksdb;

import org.jspecify.annotations.NullMarked;
