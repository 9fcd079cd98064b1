/// Inputs that no program sends, by every way into a daemon.
@NullMarked
package dev.agentmemory.bench.fuzz;

import org.jspecify.annotations.NullMarked;
