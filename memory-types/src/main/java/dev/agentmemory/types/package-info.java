/// The values of agent-memory: what an event, a segment, a node of the table of contents and a grip
/// are. Everything here is immutable and checked when it is built.
@NullMarked
package dev.agentmemory.types;

import org.jspecify.annotations.NullMarked;
