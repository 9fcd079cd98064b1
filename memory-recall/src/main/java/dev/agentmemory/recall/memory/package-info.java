/// Curated memories: writing and finding them. [CuratedMemories] implements the API;
/// [MemoryCollection] is what upkeep and extraction use.
@NullMarked
package dev.agentmemory.recall.memory;

import org.jspecify.annotations.NullMarked;
