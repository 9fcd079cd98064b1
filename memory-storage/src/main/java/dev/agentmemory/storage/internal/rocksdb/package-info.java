/// RocksDB: the open database, its tables, its files read without opening it, its errors.
@NullMarked
package dev.agentmemory.storage.internal.rocksdb;

import org.jspecify.annotations.NullMarked;
