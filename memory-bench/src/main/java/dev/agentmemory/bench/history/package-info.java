/// Import of the sessions that agents recorded themselves.
@NullMarked
package dev.agentmemory.bench.history;

import org.jspecify.annotations.NullMarked;
