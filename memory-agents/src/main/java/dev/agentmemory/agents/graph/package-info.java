/// Files of other memories.
@NullMarked
package dev.agentmemory.agents.graph;

import org.jspecify.annotations.NullMarked;
