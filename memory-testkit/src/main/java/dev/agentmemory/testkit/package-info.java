/// What tests are built from: an in-heap store, the suites that every store must pass, builders of
/// small values, seeds that can be replayed.
@NullMarked
package dev.agentmemory.testkit;

import org.jspecify.annotations.NullMarked;
