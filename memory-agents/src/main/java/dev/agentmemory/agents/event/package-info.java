/// What the events of coding agents have in common.
@NullMarked
package dev.agentmemory.agents.event;

import org.jspecify.annotations.NullMarked;
