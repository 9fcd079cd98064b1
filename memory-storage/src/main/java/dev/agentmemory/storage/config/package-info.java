/// Settings of stores, and the engine's native library.
@NullMarked
package dev.agentmemory.storage.config;

import org.jspecify.annotations.NullMarked;
