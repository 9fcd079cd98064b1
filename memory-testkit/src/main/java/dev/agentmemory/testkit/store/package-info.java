/// Stores for tests: an in-heap one, those that earlier formats left, and one whose calls are
/// watched.
@NullMarked
package dev.agentmemory.testkit.store;

import org.jspecify.annotations.NullMarked;
