/// The files in which hooks leave their payloads.
@NullMarked
package dev.agentmemory.agents.spool;

import org.jspecify.annotations.NullMarked;
