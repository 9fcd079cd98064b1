/// Export of curated memories as JSON Lines, and import of such lines.
@NullMarked
package dev.agentmemory.recall.exchange;

import org.jspecify.annotations.NullMarked;
