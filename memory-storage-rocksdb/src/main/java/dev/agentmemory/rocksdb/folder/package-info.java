/// The stores of a data directory: a folder for each.
@NullMarked
package dev.agentmemory.rocksdb.folder;

import org.jspecify.annotations.NullMarked;
