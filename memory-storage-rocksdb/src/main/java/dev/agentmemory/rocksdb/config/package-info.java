/// Settings of stores, and the engine's native library.
@NullMarked
package dev.agentmemory.rocksdb.config;

import org.jspecify.annotations.NullMarked;
