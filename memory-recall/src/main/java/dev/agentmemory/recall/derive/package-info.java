/// Derives memories from the event log: from closed segments, and once more when a conversation has
/// ended.
@NullMarked
package dev.agentmemory.recall.derive;

import org.jspecify.annotations.NullMarked;
