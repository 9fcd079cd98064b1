/// Building blocks of tests: builders of small values, seeds that can be replayed, waits and locks.
@NullMarked
package dev.agentmemory.testkit;

import org.jspecify.annotations.NullMarked;
