/// Work on all curated memories: consolidation, orientation, export and import.
@NullMarked
package dev.agentmemory.api.upkeep;

import org.jspecify.annotations.NullMarked;
