/// Payloads and lines of agents as events: identity, text, metadata.
@NullMarked
package dev.agentmemory.agents.internal;

import org.jspecify.annotations.NullMarked;
