/// Hooks of agents: what they cost, and what they lose.
@NullMarked
package dev.agentmemory.bench.hook;

import org.jspecify.annotations.NullMarked;
