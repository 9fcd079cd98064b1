/// The API in this process, over a store.
@NullMarked
package dev.agentmemory.engine;

import org.jspecify.annotations.NullMarked;
