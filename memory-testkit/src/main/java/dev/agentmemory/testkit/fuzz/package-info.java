/// Inputs that no program sends: valid ones that were changed at random, for every way into a
/// daemon.
@NullMarked
package dev.agentmemory.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
