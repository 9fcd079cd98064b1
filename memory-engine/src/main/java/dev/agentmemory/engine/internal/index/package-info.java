/// Keeps the search index and its vectors in line with a store, and checks both.
@NullMarked
package dev.agentmemory.engine.internal.index;

import org.jspecify.annotations.NullMarked;
