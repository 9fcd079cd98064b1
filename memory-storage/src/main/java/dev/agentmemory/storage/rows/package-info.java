/// The rows of a store, and what it needs of the engine that keeps them.
@NullMarked
package dev.agentmemory.storage.rows;

import org.jspecify.annotations.NullMarked;
