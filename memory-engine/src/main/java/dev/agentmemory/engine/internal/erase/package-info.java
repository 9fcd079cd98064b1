/// Erases what has to be forgotten.
@NullMarked
package dev.agentmemory.engine.internal.erase;

import org.jspecify.annotations.NullMarked;
