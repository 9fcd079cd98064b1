/// Tests of the stores for tests.
@NullMarked
package dev.agentmemory.testkit.store;

import org.jspecify.annotations.NullMarked;
