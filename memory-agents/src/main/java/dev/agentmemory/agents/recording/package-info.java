/// What of the sessions of agents is recorded, for the daemon and for `memory import`.
@NullMarked
package dev.agentmemory.agents.recording;

import org.jspecify.annotations.NullMarked;
