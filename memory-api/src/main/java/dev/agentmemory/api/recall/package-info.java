/// Curated memories: what was learnt, with its evidence, its scope and its relevance.
@NullMarked
package dev.agentmemory.api.recall;

import org.jspecify.annotations.NullMarked;
