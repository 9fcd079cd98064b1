/// Curated memories in the search: their index of words, and where a search finds them.
@NullMarked
package dev.agentmemory.search.memory;

import org.jspecify.annotations.NullMarked;
