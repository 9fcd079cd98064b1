/// Adapters of coding agents: what their hooks send and their transcripts hold, as events.
@NullMarked
package dev.agentmemory.agents;

import org.jspecify.annotations.NullMarked;
