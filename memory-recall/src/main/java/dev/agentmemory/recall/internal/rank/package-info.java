/// The relevance and the order of memories.
@NullMarked
package dev.agentmemory.recall.internal.rank;

import org.jspecify.annotations.NullMarked;
