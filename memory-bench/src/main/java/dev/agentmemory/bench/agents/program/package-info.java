/// The programs of agents: where they are, how they are set up and started.
@NullMarked
package dev.agentmemory.bench.agents.program;

import org.jspecify.annotations.NullMarked;
