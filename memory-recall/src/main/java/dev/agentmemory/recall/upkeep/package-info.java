/// The upkeep of memories: consolidation, compaction of sessions, and their log, whose runs can be
/// undone. [MemoryUpkeep] is the entry.
@NullMarked
package dev.agentmemory.recall.upkeep;

import org.jspecify.annotations.NullMarked;
