/// Erases memories and records of conversations for good.
@NullMarked
package dev.agentmemory.recall.erase;

import org.jspecify.annotations.NullMarked;
