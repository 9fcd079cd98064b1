/// Runs what derives memories from the event log.
@NullMarked
package dev.agentmemory.engine.internal.recall;

import org.jspecify.annotations.NullMarked;
