/// Curated memories: storing, finding, extracting, consolidating and orientation.
@NullMarked
package dev.agentmemory.recall;

import org.jspecify.annotations.NullMarked;
