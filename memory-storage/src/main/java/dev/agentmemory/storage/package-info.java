/// What a store means, in rows of an engine.
@NullMarked
package dev.agentmemory.storage;

import org.jspecify.annotations.NullMarked;
