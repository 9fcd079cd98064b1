/// Masks secrets in what a store has already.
@NullMarked
package dev.agentmemory.engine.internal.scrub;

import org.jspecify.annotations.NullMarked;
