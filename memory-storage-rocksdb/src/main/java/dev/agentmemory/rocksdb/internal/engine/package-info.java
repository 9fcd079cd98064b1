/// RocksDB: the open database, its tables, its files read without opening it, its errors.
@NullMarked
package dev.agentmemory.rocksdb.internal.engine;

import org.jspecify.annotations.NullMarked;
