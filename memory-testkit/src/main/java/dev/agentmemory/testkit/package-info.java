/// Building blocks of tests: an in-heap store, the contract suites of the store, builders of small
/// values, and seeds that can be replayed.
@NullMarked
package dev.agentmemory.testkit;

import org.jspecify.annotations.NullMarked;
